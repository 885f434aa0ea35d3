import { transact, type Trx } from '#kit/server/db.ts'
import type { CardNotification } from '#providers/card/card.port.ts'
import type { AttemptState } from '../payment-attempts.states.ts'
import type { OrderDeps } from './orders.deps.ts'
import { recordModification, reportLateCancel } from './modification-outcomes.ts'
import {
  recordNotificationIfNew,
  findNotifiedPayment,
  describeDifferentReference,
  reportPaymentTask,
} from './notified-payments.store.ts'
import { countNotificationEvent } from './order-events.store.ts'
import { findOrder } from './orders.store.ts'
import { recordUnrequestedEvent } from './unrequested-events.ts'
import { type Attempt, isTechnicalCancelBegun, lockAttempt } from './payments.store.ts'
import { cardTypeNotAcceptedCode, emptyCardDetails, recordOutcome } from './payments.ts'
import { recordNotifiedCard } from './stored-card.ts'
import { recordUnconfirmedRequest, createLateCancelRequest } from './unconfirmed-requests.store.ts'

/**
 * Records a gateway notification, which may be early, late or a duplicate. The caller must have checked its signature and
 * merchant account. A notification of an outcome changes no payment if its reference, amount or currency does not match.
 */
export async function recordNotification(deps: OrderDeps, notification: CardNotification): Promise<void> {
  const attempt = await findNotifiedPayment(deps, notification)
  if (!attempt) return
  if (!outcomeEventCodes.has(notification.eventCode)) return recordUnrequestedEvent(deps, attempt, notification)
  if (!isMatchingAmount(attempt, notification)) return reportWrongAmount(deps, attempt, notification)
  if (notification.eventCode === 'AUTHORISATION') return recordAuthorisation(deps, attempt, notification)
  await transact(deps.db, async (trx) => {
    // This lock serialises the notification with the response to our own request, which may arrive later.
    const lockedAttempt = await lockAttempt(trx, attempt.id)
    if (await recordNotificationIfNew(trx, attempt, notification))
      await recordModification(trx, deps, lockedAttempt, notification)
  })
}

const outcomeEventCodes = new Set(['AUTHORISATION', 'CAPTURE', 'CAPTURE_FAILED', 'CANCELLATION', 'TECHNICAL_CANCEL'])

const eventsWithAmount = new Set(['AUTHORISATION', 'CAPTURE', 'CAPTURE_FAILED'])

/**
 * Whether the amount in the notification is the order's, which is always authorised and captured in full. Notifications
 * about a cancellation may lack an amount.
 */
const isMatchingAmount = (attempt: Attempt, { eventCode, amount, currency }: CardNotification): boolean =>
  (amount === attempt.amount_cents && currency === attempt.currency) ||
  (amount === 0 && !eventsWithAmount.has(eventCode))

/** Creates a task about a wrong amount, but does not mark the notification as seen, so that a correction can be recorded. */
async function reportWrongAmount(deps: OrderDeps, attempt: Attempt, notification: CardNotification): Promise<void> {
  const { eventCode, amount, currency } = notification
  deps.log.warn(
    { attempt: attempt.reference, event: eventCode },
    'a notification has a different amount than its payment',
  )
  await countNotificationEvent(deps.db, attempt.order_id, notification)
  if (eventCode === 'AUTHORISATION')
    return reportPaymentTask(deps.db, attempt, `the gateway authorised another amount for ${attempt.reference}`)
  await reportPaymentTask(
    deps.db,
    attempt,
    `the gateway reported ${eventCode} of another amount for ${attempt.reference}: ${amount} cents ${currency}`,
  )
}

async function recordAuthorisation(deps: OrderDeps, attempt: Attempt, notification: CardNotification): Promise<void> {
  const { pspReference, reason, success } = notification
  const isAbandoned = await transact(deps.db, async (trx) => {
    const lockedAttempt = await lockAttempt(trx, attempt.id)
    const { state, psp_reference: knownReference } = lockedAttempt
    if (success && isTechnicalCancelBegun(lockedAttempt)) return true
    if (success && (await isAbandonedPayment(trx, attempt.order_id, state, knownReference === pspReference)))
      return true
    if (!(await recordNotificationIfNew(trx, attempt, notification))) return false
    if (success) await recordNotifiedCard(trx, deps, lockedAttempt, notification)
    if (success && knownReference !== null && knownReference !== pspReference)
      await reportPaymentTask(
        trx,
        attempt,
        describeDifferentReference(`the payment ${attempt.reference}`, knownReference, pspReference),
      )
    /*
     * The notification decides an attempt only if the gateway has already responded to it. An attempt without a response
     * is resolved by repeating the request with its idempotency key.
     */
    if (state === 'unknown' && knownReference === pspReference) {
      const outcome = success
        ? ({ outcome: 'authorised', pspReference, card: emptyCardDetails } as const)
        : ({ outcome: 'refused', pspReference, reason } as const)
      await recordOutcome(trx, deps, attempt, outcome)
    }
    return false
  })
  if (isAbandoned) await cancelLateAuthorisation(deps, attempt, notification)
}

/**
 * Whether the gateway has authorised a payment although we told the customer that it had failed. If we knew about the
 * authorisation, we have already cancelled it.
 */
async function isAbandonedPayment(
  trx: Trx,
  orderId: string,
  state: AttemptState,
  isReferenceKnown: boolean,
): Promise<boolean> {
  if (state !== 'cancelled' && state !== 'refused') return false
  const order = await findOrder(trx, orderId)
  return !isReferenceKnown || (order?.state === 'refused' && order.failure_code !== cardTypeNotAcceptedCode)
}

/**
 * Cancels a late authorisation, and only then marks its notification as seen. If the process dies before that, the gateway
 * repeats the notification.
 */
async function cancelLateAuthorisation(
  deps: OrderDeps,
  attempt: Attempt,
  notification: CardNotification,
): Promise<void> {
  const { pspReference } = notification
  const cancelResult = await deps.card.cancel({
    originalReference: pspReference,
    reference: `${attempt.reference}-late`,
    idempotencyKey: `${attempt.idempotency_key}-late`,
  })
  if (cancelResult.outcome === 'unknown')
    throw new Error(`the late authorisation of ${attempt.reference} could not be cancelled yet: ${cancelResult.why}`)
  await transact(deps.db, async (trx) => {
    const lockedPayment = await lockAttempt(trx, attempt.id)
    await recordNotificationIfNew(trx, attempt, notification)
    if (cancelResult.outcome === 'refused')
      return reportLateCancel(trx, lockedPayment, `the late authorisation ${pspReference} was not cancelled`)
    // The gateway may have stored a card with this payment, which must be deleted there.
    await recordNotifiedCard(trx, deps, lockedPayment, notification)
    await recordUnconfirmedRequest(trx, deps, createLateCancelRequest(attempt, pspReference, cancelResult.pspReference))
  })
}
