import { transact } from '#kit/server/db.ts'
import { notFound } from '#kit/server/refusal.ts'
import { isUuid } from '#kit/server/uuid.ts'
import type { User } from '#features/auth/server/users.store.ts'
import { findOutlook } from '#features/auto-renewal/server/outlooks.ts'
import type { CustomersDeps } from '#features/customers/server/customers.deps.ts'
import type { ServicesDeps } from '#features/services/server/services.deps.ts'
import { noteLookIn } from '#desk/features/alarms/server/alarms.ts'
import { noteAccess } from '#desk/features/staff/server/access.store.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { mostOrders } from '../number.contract.ts'
import { findNumberOf, listOrdersOf, listPortsOf, listTriesOf, type NumberOfCustomer } from './number.view.ts'

export type NumberDeps = CustomersDeps & Pick<ServicesDeps, 'numberKeptDays'>

const [mostTries, mostPorts] = [5, 5]

/** @throws 404, also for a number of another customer */
async function numberOf({ db }: NumberDeps, user: User, id: string): Promise<NumberOfCustomer> {
  const number = isUuid(id) ? await findNumberOf(db, user.id, id) : undefined
  if (!number) throw notFound()
  return number
}

/**
 * Everything that the page of a number shows. The access log records that this person saw the page.
 * @throws 404
 */
export async function numberSeenBy(deps: NumberDeps, staff: SignedInStaff, user: User, id: string) {
  const { db, clock } = deps
  const number = await numberOf(deps, user, id)
  await noteAccess(db, { staffId: staff.id, act: 'number_seen', userId: user.id, subject: number.id })
  const { plan_order_id: planOrderId } = number
  return {
    number,
    ahead: number.released_at ? null : await findOutlook(db, deps, number, clock.now()),
    tries: planOrderId ? await listTriesOf(db, planOrderId, mostTries) : [],
    ports: staff.roles.includes('support') ? await listPortsOf(db, number.id, mostPorts) : null,
    orders: await listOrdersOf(db, number.id, mostOrders),
  }
}

/** Returns the whole ICCID. The access log is written first, so no ICCID is shown without a record. @throws 404 */
export async function uncoverSim(deps: NumberDeps, staff: SignedInStaff, user: User, id: string): Promise<string> {
  if (user.erased_at) throw notFound()
  const number = await numberOf(deps, user, id)
  await transact(deps.db, (trx) =>
    noteLookIn(trx, deps, staff, { act: 'sim_shown', userId: user.id, subject: number.id }),
  )
  return number.iccid
}
