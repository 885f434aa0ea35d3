import { fromDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import type { CardNotification } from '#providers/card/card.port.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { scheduleCardRemoval, saveAndNotifyCard } from '#features/payment-method/server/payment-method.ts'
import { isAttemptOpen } from '../payment-attempts.states.ts'
import { recordNotificationIfNew, findNotifiedPayment } from './notified-payments.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import { findOrder } from './orders.store.ts'
import { recordUnrequestedEvent } from './unrequested-events.ts'
import { type Attempt, lockAttempt, saveStoredCard } from './payments.store.ts'
import { mergeCardDetails, emptyCardDetails } from './payments.ts'

export const recurringContractEvent = 'RECURRING_CONTRACT'

/**
 * Records a stored card that the gateway reports only by webhook, as is the case for some gateway accounts. The notification
 * is signed, and its PSP reference is the stored card's reference.
 */
export async function recordRecurringContract(deps: OrderDeps, notification: CardNotification): Promise<void> {
  const { success, pspReference } = notification
  const attempt = await findNotifiedPayment(deps, notification)
  if (!attempt) return
  if (!success || pspReference === '') return recordUnrequestedEvent(deps, attempt, notification)
  await transact(deps.db, async (trx) => {
    const lockedPayment = await lockAttempt(trx, attempt.id)
    if (!(await recordNotificationIfNew(trx, attempt, notification))) return
    if (lockedPayment.store && !lockedPayment.card?.storedId)
      await saveNotifiedCard(trx, deps, lockedPayment, pspReference)
  })
}

/**
 * Saves card details from an authorisation notification if no response contained them, as happens with a pending payment.
 * The gateway's signature does not cover these details, so they never replace details from a response. A stored card is
 * accepted only under the shopper reference that we assigned to its holder.
 */
export async function recordNotifiedCard(
  trx: Trx,
  deps: OrderDeps,
  attempt: Attempt,
  { card: { shopperReference, ...notifiedCard } }: CardNotification,
): Promise<void> {
  const isKnownShopper = shopperReference === null || shopperReference === attempt.shopper_reference
  const storedId = attempt.store && isKnownShopper ? notifiedCard.storedId : null
  const card = mergeCardDetails(attempt.card ?? emptyCardDetails, { ...notifiedCard, storedId })
  if (Object.values(card).every((detail) => detail === null)) return
  // While the payment is open, only remember the card: the code that records the payment's outcome will save it.
  if (isAttemptOpen(attempt.state)) return saveStoredCard(trx, attempt.id, card)
  if (storedId && !attempt.card?.storedId) await saveNotifiedCard(trx, deps, { ...attempt, card }, storedId)
}

async function saveNotifiedCard(trx: Trx, deps: OrderDeps, attempt: Attempt, storedId: string): Promise<void> {
  const { shopper_reference: shopperReference } = attempt
  const order = await findOrder(trx, attempt.order_id)
  const owner = order?.user_id ? await findUser(trx, order.user_id) : undefined
  const isUnsuccessful = attempt.state === 'refused' || attempt.state === 'cancelled' || attempt.state === 'cancelling'
  if (!order || isUnsuccessful || owner?.erased_at) {
    await scheduleCardRemoval(trx, deps, { storedId, shopperReference })
    return
  }
  const card = { ...(attempt.card ?? emptyCardDetails), storedId }
  await saveStoredCard(trx, attempt.id, card)
  // While the payment is open, do not save the card yet: the code that records the payment's outcome will do so.
  if (isAttemptOpen(attempt.state) || !owner) return
  await saveAndNotifyCard(trx, deps, owner.id, {
    card: { ...card, shopperReference },
    at: fromDate(order.created_at),
    event: attempt.reference,
    notifyCustomer: owner.made_by_order !== order.id,
  })
}
