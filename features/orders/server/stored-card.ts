import { fromDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import type { CardNotification } from '#providers/card/card.port.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { forgetCard, keepCard } from '#features/payment-method/server/payment-method.ts'
import { isAttemptOpen } from '../payment-attempts.states.ts'
import { isNews, notifiedPayment } from './notified-payments.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import { findOrder } from './orders.store.ts'
import { recordOtherEvent } from './other-events.ts'
import { type Attempt, lockAttempt, noteStoredCard } from './payments.store.ts'
import { completed, noDetails } from './payments.ts'

/** The gateway tells that a card is stored, with or after its answer to the payment. */
export const recurringContractEvent = 'RECURRING_CONTRACT'

/**
 * Takes over a stored card of which the answer to its payment said nothing, as accounts have it that only tell of it by webhook. Its
 * reference at the gateway is that of the notification, which is signed.
 */
export async function recordRecurringContract(deps: OrderDeps, notification: CardNotification): Promise<void> {
  const { success, pspReference } = notification
  const attempt = await notifiedPayment(deps, notification)
  if (!attempt) return
  if (!success || pspReference === '') return recordOtherEvent(deps, attempt, notification)
  await transact(deps.db, async (trx) => {
    const locked = await lockAttempt(trx, attempt.id)
    if (!(await isNews(trx, attempt, notification))) return
    if (locked.store && !locked.card?.storedId) await takeOver(trx, deps, locked, pspReference)
  })
}

/**
 * Takes over what the notification of an authorisation says of its card, where no answer has said it: so it is with a payment that was
 * pending. None of that is signed. What an answer said stands; a stored card is charged under the name that we gave its holder, and
 * under no other is it taken.
 */
export async function recordToldCard(
  trx: Trx,
  deps: OrderDeps,
  attempt: Attempt,
  { card: { shopperReference, ...told } }: CardNotification,
): Promise<void> {
  const isOurs = shopperReference === null || shopperReference === attempt.shopper_reference
  const storedId = attempt.store && isOurs ? told.storedId : null
  const card = completed(attempt.card ?? noDetails, { ...told, storedId })
  if (Object.values(card).every((detail) => detail === null)) return
  // While the payment is open, whoever hears its outcome keeps the card with it.
  if (isAttemptOpen(attempt.state)) return noteStoredCard(trx, attempt.id, card)
  if (storedId && !attempt.card?.storedId) await takeOver(trx, deps, { ...attempt, card }, storedId)
}

async function takeOver(trx: Trx, deps: OrderDeps, attempt: Attempt, storedId: string): Promise<void> {
  const { shopper_reference: shopperReference } = attempt
  const order = await findOrder(trx, attempt.order_id)
  const owner = order?.user_id ? await findUser(trx, order.user_id) : undefined
  const isRefused = attempt.state === 'refused' || attempt.state === 'cancelled' || attempt.state === 'cancelling'
  if (!order || isRefused || owner?.erased_at) {
    await forgetCard(trx, deps, { storedId, shopperReference })
    return
  }
  const card = { ...(attempt.card ?? noDetails), storedId }
  await noteStoredCard(trx, attempt.id, card)
  // While the payment is open, whoever hears its outcome keeps the card with it.
  if (isAttemptOpen(attempt.state) || !owner) return
  await keepCard(trx, deps, owner.id, {
    card: { ...card, shopperReference },
    at: fromDate(order.created_at),
    event: attempt.reference,
    isTold: owner.made_by_order !== order.id,
  })
}
