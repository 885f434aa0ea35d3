import type { Db, Trx } from '#kit/server/db.ts'
import type { Visit } from '#kit/server/visit.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { findOrder } from '#features/orders/server/orders.store.ts'
import { skipSignup } from '../activation.states.ts'
import { type ActivationRow, attachToCustomer } from './activation.store.ts'

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

/** Whether a user has signed in since this was begun, or since it was last looked at. */
export const hasSignedIn = (activation: ActivationRow, visit: Visit): boolean =>
  visit.user !== null && activation.user_id === null

/**
 * A visitor who signs in on the way goes on as the customer they are, at their next look or step: what they had answered of
 * themselves gives way to their account. Once there is an order it stays as it was ordered (decision 0013).
 */
export async function asCustomer(db: Db | Trx, activation: ActivationRow, visit: Visit): Promise<ActivationRow> {
  if (!hasSignedIn(activation, visit)) return activation
  const order = activation.order_id ? await findOrder(db, activation.order_id) : undefined
  if (order && order.state !== 'refused') return activation
  const customer = await customerOf(db, visit)
  if (!customer) return activation
  return attachToCustomer(db, activation, { ...customer, state: skipSignup(activation.state) })
}
