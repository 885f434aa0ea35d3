import type { Db, Trx } from '#kit/server/db.ts'
import { lockKeysForCounting } from '#kit/server/limits.ts'
import type { RequestContext } from '#kit/server/request-context.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { hasActivationOrder } from '#features/orders/server/orders.store.ts'
import { findProduct } from '#features/plans/server/plans.store.ts'
import { stateAfterMethod, skipSignup, type WizardState } from '../activation.states.ts'
import { type ActivationRow, attachToCustomer } from './activation.store.ts'
import { findActivationOrder } from './activation-order.ts'

export async function findSignedInCustomer(
  db: Db | Trx,
  { user }: RequestContext,
): Promise<Pick<ActivationRow, 'user_id' | 'full_name' | 'email'> | null> {
  const customer = user && (await findUser(db, user.id))
  return customer
    ? { user_id: customer.id, full_name: `${customer.first_name} ${customer.last_name}`.trim(), email: customer.email }
    : null
}

/**
 * Returns whether a visitor may buy plans that are only for new customers. A signed-in customer who has ever had a service may not. A
 * visitor who is not signed in always may, because the answer must not reveal whether the email address they entered belongs to a customer.
 */
export const isNewCustomer = async (
  db: Db | Trx,
  { user_id: userId }: Pick<ActivationRow, 'user_id'>,
): Promise<boolean> => userId === null || !(await hasActivationOrder(db, userId))

/**
 * Repeats the check of `isNewCustomer` at payment time, under a lock. If a customer pays in two sessions at once, the
 * second one sees the first one's order.
 */
export async function checkNewCustomerWithLock(
  trx: Trx,
  { user_id: userId }: Pick<ActivationRow, 'user_id'>,
): Promise<boolean> {
  if (userId === null) return true
  await lockKeysForCounting(trx, [`welcome-plan:${userId}`])
  return !(await hasActivationOrder(trx, userId))
}

export const hasSignedInSinceStart = (activation: ActivationRow, visit: RequestContext): boolean =>
  visit.user !== null && activation.user_id === null

/**
 * Attaches an activation to a visitor who has signed in since starting it. Their account's details replace the ones
 * they entered. Does nothing once there is an order, unless its payment was refused (decision 0041).
 */
export async function attachSignedInCustomer(
  db: Db | Trx,
  activation: ActivationRow,
  visit: RequestContext,
): Promise<ActivationRow> {
  if (!hasSignedInSinceStart(activation, visit)) return activation
  const order = await findActivationOrder(db, activation)
  if (order && order.state !== 'refused') return activation
  const customer = await findSignedInCustomer(db, visit)
  if (!customer) return activation
  const state = skipSignup(activation.state)
  return attachToCustomer(db, activation, {
    ...customer,
    state,
    ...(await resetNewCustomerPlan(db, activation, customer)),
  })
}

/**
 * Removes a chosen plan that is only for new customers if the customer is not new. A voucher's plan is kept, because it
 * has already been paid for.
 */
async function resetNewCustomerPlan(
  db: Db | Trx,
  { method, product_id: chosen }: ActivationRow,
  customer: { user_id: string | null },
): Promise<{ product_id?: null; state?: WizardState }> {
  if (method !== 'payment' || !chosen) return {}
  const plan = await findProduct(db, chosen)
  if (!plan?.new_customer_only || (await isNewCustomer(db, customer))) return {}
  return { product_id: null, state: stateAfterMethod(method) }
}
