import type { Db, Trx } from '#kit/server/db.ts'
import { lockCounts } from '#kit/server/limits.ts'
import type { Visit } from '#kit/server/visit.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { hasActivated } from '#features/orders/server/orders.store.ts'
import { findProduct } from '#features/plans/server/plans.store.ts'
import { afterMethod, skipSignup, type WizardState } from '../activation.states.ts'
import { type ActivationRow, attachToCustomer } from './activation.store.ts'
import { orderOf } from './activation-order.ts'

/** How a customer who is signed in stands in their activation: what they would otherwise be asked for. */
export async function customerOf(
  db: Db | Trx,
  { user }: Visit,
): Promise<Pick<ActivationRow, 'user_id' | 'full_name' | 'email'> | null> {
  const customer = user && (await findUser(db, user.id))
  return customer
    ? { user_id: customer.id, full_name: `${customer.first_name} ${customer.last_name}`.trim(), email: customer.email }
    : null
}

/**
 * Whether plans for new customers are sold here: not to a customer who is signed in and has or had a service. A visitor who is not
 * signed in may be anybody, and what they are told must not depend on the address that they typed.
 */
export const isNewCustomer = async (
  db: Db | Trx,
  { user_id: userId }: Pick<ActivationRow, 'user_id'>,
): Promise<boolean> => userId === null || !(await hasActivated(db, userId))

/** The same for one who pays: of two sessions that pay at once, the second sees what the first has bought. */
export async function isNewCustomerLocked(
  trx: Trx,
  { user_id: userId }: Pick<ActivationRow, 'user_id'>,
): Promise<boolean> {
  if (userId === null) return true
  await lockCounts(trx, [`welcome-plan:${userId}`])
  return !(await hasActivated(trx, userId))
}

/** Whether a user has signed in since this was begun, or since it was last looked at. */
export const hasSignedIn = (activation: ActivationRow, visit: Visit): boolean =>
  visit.user !== null && activation.user_id === null

/**
 * A visitor who signs in on the way goes on as the customer they are, at their next look or step: what they had answered of
 * themselves gives way to their account. Once there is an order it stays as it was ordered (decision 0013).
 */
export async function asCustomer(db: Db | Trx, activation: ActivationRow, visit: Visit): Promise<ActivationRow> {
  if (!hasSignedIn(activation, visit)) return activation
  const order = await orderOf(db, activation)
  if (order && order.state !== 'refused') return activation
  const customer = await customerOf(db, visit)
  if (!customer) return activation
  const state = skipSignup(activation.state)
  return attachToCustomer(db, activation, {
    ...customer,
    state,
    ...(await withoutWelcomePlan(db, activation, customer)),
  })
}

/** A plan for new customers that was chosen before it was known that they are none is chosen again; a voucher's plan is paid for. */
async function withoutWelcomePlan(
  db: Db | Trx,
  { method, product_id: chosen }: ActivationRow,
  customer: { user_id: string | null },
): Promise<{ product_id?: null; state?: WizardState }> {
  if (method !== 'payment' || !chosen) return {}
  const plan = await findProduct(db, chosen)
  if (!plan?.new_customer_only || (await isNewCustomer(db, customer))) return {}
  return { product_id: null, state: afterMethod(method) }
}
