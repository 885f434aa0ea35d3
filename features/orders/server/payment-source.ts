import type { Db, Trx } from '#kit/server/db.ts'
import { invalidForm } from '#kit/server/refusal.ts'
import { isCardExpired } from '#kit/server/card-expiry.ts'
import { findSavedCard } from '#features/payment-method/server/payment-method.ts'
import { cardPaymentMessages } from '../card-payment.contract.ts'
import type { OrderDeps } from './orders.deps.ts'
import type { Order } from './orders.store.ts'
import type { NewAttempt } from './payments.store.ts'

type SavedCard = NonNullable<Awaited<ReturnType<typeof findSavedCard>>>

/** The customer's saved card, or the sentence that says why it cannot be charged. */
export async function usableCard(
  db: Db | Trx,
  { clock, market }: OrderDeps,
  userId: string,
): Promise<{ card: SavedCard } | { refusal: string }> {
  const card = await findSavedCard(db, userId)
  if (!card) return { refusal: cardPaymentMessages.noSavedCard }
  return isCardExpired(card, clock.now(), market.zone) ? { refusal: cardPaymentMessages.savedCardExpired } : { card }
}

/** What the gateway will be sent: the card as it was encrypted, sealed, or the id of the saved one. @throws 400 when there is none to charge */
export async function attemptOf(
  trx: Trx,
  deps: OrderDeps,
  order: Order,
  payment: { by: 'card'; encrypted: string; store: boolean } | { by: 'saved_card' },
): Promise<NewAttempt> {
  if (payment.by === 'card') return { sealedCard: deps.secrets.seal(payment.encrypted), store: payment.store }
  if (!order.user_id) throw new Error(`order ${order.order_code} has no customer whose card could be charged`)
  const found = await usableCard(trx, deps, order.user_id)
  if ('refusal' in found) throw invalidForm(found.refusal)
  return { storedCardId: found.card.stored_id, shopper: found.card.shopper_reference }
}
