import type { Db, Trx } from '#kit/server/db.ts'
import { lockCountKeys } from '#kit/server/limits.ts'
import type { RequestContext } from '#kit/server/request-context.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { hasActivated } from '#features/orders/server/orders.store.ts'
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
 * Tells whether a visitor may buy plans for new customers. A signed-in customer who has or had a service may not. Every
 * visitor who is not signed in may, because the answer must not depend on the email address that they entered.
 */
export const isNewCustomer = async (
  db: Db | Trx,
  { user_id: userId }: Pick<ActivationRow, 'user_id'>,
): Promise<boolean> => userId === null || !(await hasActivated(db, userId))

/**
 * Makes the same check as `isNewCustomer` at the payment, under a lock. If two sessions of a customer pay at the same
 * time, the second sees the order of the first.
 */
export async function lockIsNewCustomer(
  trx: Trx,
  { user_id: userId }: Pick<ActivationRow, 'user_id'>,
): Promise<boolean> {
  if (userId === null) return true
  await lockCountKeys(trx, [`welcome-plan:${userId}`])
  return !(await hasActivated(trx, userId))
}

export const hasSignedInSinceStart = (activation: ActivationRow, visit: RequestContext): boolean =>
  visit.user !== null && activation.user_id === null

/**
 * Attaches an activation to a visitor who has signed in since it started. The customer's account replaces the personal
 * details that were entered. An activation whose order was not refused stays as it is (decision 0041).
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
 * Removes a chosen plan for new customers when the customer is not new. The plan of a voucher stays, because it is
 * already paid for.
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
