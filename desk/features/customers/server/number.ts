import { transact } from '#kit/server/db.ts'
import { notFound } from '#kit/server/http-error.ts'
import { isUuid } from '#kit/server/uuid.ts'
import type { User } from '#features/auth/server/users.store.ts'
import { findPlanStatus } from '#features/auto-renewal/server/plan-statuses.ts'
import type { CustomersDeps } from '#features/customers/server/customers.deps.ts'
import type { ServicesDeps } from '#features/services/server/services.deps.ts'
import { recordAccessInTransaction } from '#desk/features/access-alerts/server/access-alerts.ts'
import { insertAccessEntry } from '#desk/features/staff/server/access.store.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { maxOrders } from '../number.contract.ts'
import {
  findCustomerNumber,
  listNumberOrders,
  listNumberPorts,
  listRenewalAttempts,
  type CustomerNumberRow,
} from './number.view.ts'

export type NumberDeps = CustomersDeps & Pick<ServicesDeps, 'numberKeptDays'>

const [maxTries, maxPorts] = [5, 5]

/**
 * Finds one of this customer's phone numbers.
 * @throws 404 if there is no such number, or it belongs to a different customer
 */
async function requireNumber({ db }: NumberDeps, user: User, id: string): Promise<CustomerNumberRow> {
  const number = isUuid(id) ? await findCustomerNumber(db, user.id, id) : undefined
  if (!number) throw notFound()
  return number
}

/**
 * Returns everything that a phone number's page shows, and records in the access log that this staff member saw it.
 * @throws 404 if there is no such number
 */
export async function readNumberPage(deps: NumberDeps, staff: SignedInStaff, user: User, id: string) {
  const { db, clock } = deps
  const number = await requireNumber(deps, user, id)
  await insertAccessEntry(db, { staffId: staff.id, act: 'number_seen', userId: user.id, subject: number.id })
  const { plan_order_id: planOrderId } = number
  return {
    number,
    ahead: number.released_at ? null : await findPlanStatus(db, deps, number, clock.now()),
    tries: planOrderId ? await listRenewalAttempts(db, planOrderId, maxTries) : [],
    ports: staff.roles.includes('support') ? await listNumberPorts(db, number.id, maxPorts) : null,
    orders: await listNumberOrders(db, number.id, maxOrders),
  }
}

/**
 * Returns the SIM's full ICCID. The access log is written first, so every disclosure is recorded.
 * @throws 404 if there is no such number
 */
export async function revealSimNumber(deps: NumberDeps, staff: SignedInStaff, user: User, id: string): Promise<string> {
  if (user.erased_at) throw notFound()
  const number = await requireNumber(deps, user, id)
  await transact(deps.db, (trx) =>
    recordAccessInTransaction(trx, deps, staff, { act: 'sim_shown', userId: user.id, subject: number.id }),
  )
  return number.iccid
}
