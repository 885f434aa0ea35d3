import { transact, type Trx } from '#kit/server/db.ts'
import type { CardNotification } from '#providers/card/card.port.ts'
import type { AttemptState } from '../payment-attempts.states.ts'
import type { OrderDeps } from './orders.deps.ts'
import { recordModification, reportLateCancel } from './modification-outcomes.ts'
import { isNews, notifiedPayment, otherReference, reportPayment } from './notified-payments.store.ts'
import { countNotification } from './order-events.store.ts'
import { findOrder } from './orders.store.ts'
import { recordOtherEvent } from './other-events.ts'
import { type Attempt, isBeingGivenUp, lockAttempt } from './payments.store.ts'
import { cardTypeNotTaken, noDetails, recordOutcome } from './payments.ts'
import { recordToldCard } from './stored-card.ts'
import { expectOutcome, lateCancelOf } from './unconfirmed-calls.store.ts'

/**
 * Records a gateway notification, which may be early, late or repeated. The caller has checked its signature and
 * account. The reference, amount and currency must match one of our payment attempts.
 */
export async function recordNotification(deps: OrderDeps, notification: CardNotification): Promise<void> {
  const attempt = await notifiedPayment(deps, notification)
  if (!attempt) return
  if (!outcomes.has(notification.eventCode)) return recordOtherEvent(deps, attempt, notification)
  if (!isItsMoney(attempt, notification)) return reportOtherMoney(deps, attempt, notification)
  if (notification.eventCode === 'AUTHORISATION') return recordAuthorisation(deps, attempt, notification)
  await transact(deps.db, async (trx) => {
    // The lock serialises the notification with the answer to our own call, which may arrive later.
    const locked = await lockAttempt(trx, attempt.id)
    if (await isNews(trx, attempt, notification)) await recordModification(trx, deps, locked, notification)
  })
}

const outcomes = new Set(['AUTHORISATION', 'CAPTURE', 'CAPTURE_FAILED', 'CANCELLATION', 'TECHNICAL_CANCEL'])

const saysHowMuch = new Set(['AUTHORISATION', 'CAPTURE', 'CAPTURE_FAILED'])

/** Each order is authorised and captured in full. A cancellation may arrive without an amount. */
const isItsMoney = (attempt: Attempt, { eventCode, amount, currency }: CardNotification): boolean =>
  (amount === attempt.amount_cents && currency === attempt.currency) || (amount === 0 && !saysHowMuch.has(eventCode))

/** The notification is not remembered as an outcome, so that the correct one can still be recorded. */
async function reportOtherMoney(deps: OrderDeps, attempt: Attempt, notification: CardNotification): Promise<void> {
  const { eventCode, amount, currency } = notification
  deps.log.warn({ attempt: attempt.reference, event: eventCode }, 'a notification is about another amount')
  await countNotification(deps.db, attempt.order_id, notification)
  if (eventCode === 'AUTHORISATION')
    return reportPayment(deps.db, attempt, `the gateway authorised another amount for ${attempt.reference}`)
  await reportPayment(
    deps.db,
    attempt,
    `the gateway reported ${eventCode} of another amount for ${attempt.reference}: ${amount} cents ${currency}`,
  )
}

async function recordAuthorisation(deps: OrderDeps, attempt: Attempt, notification: CardNotification): Promise<void> {
  const { pspReference, reason, success } = notification
  const givenUp = await transact(deps.db, async (trx) => {
    const locked = await lockAttempt(trx, attempt.id)
    const { state, psp_reference: known } = locked
    if (success && isBeingGivenUp(locked)) return true
    if (success && (await isGivenUp(trx, attempt.order_id, state, known === pspReference))) return true
    if (!(await isNews(trx, attempt, notification))) return false
    if (success) await recordToldCard(trx, deps, locked, notification)
    if (success && known !== null && known !== pspReference)
      await reportPayment(trx, attempt, otherReference(`the payment ${attempt.reference}`, known, pspReference))
    // An attempt without any answer yet is resolved by repeating the request with its idempotency key.
    if (state === 'unknown' && known === pspReference) {
      const outcome = success
        ? ({ outcome: 'authorised', pspReference, card: noDetails } as const)
        : ({ outcome: 'refused', pspReference, reason } as const)
      await recordOutcome(trx, deps, attempt, outcome)
    }
    return false
  })
  if (givenUp) await cancelLate(deps, attempt, notification)
}

/**
 * Whether the gateway authorised a payment that we had reported to the customer as failed. We have already cancelled an
 * authorisation that we knew of.
 */
async function isGivenUp(trx: Trx, orderId: string, state: AttemptState, isKnown: boolean): Promise<boolean> {
  if (state !== 'cancelled' && state !== 'refused') return false
  const order = await findOrder(trx, orderId)
  return !isKnown || (order?.state === 'refused' && order.failure_code !== cardTypeNotTaken)
}

/**
 * The notification is remembered only after the cancel. If the process dies before, the gateway repeats the
 * notification.
 */
async function cancelLate(deps: OrderDeps, attempt: Attempt, notification: CardNotification): Promise<void> {
  const { pspReference } = notification
  const answer = await deps.card.cancel({
    originalReference: pspReference,
    reference: `${attempt.reference}-late`,
    idempotencyKey: `${attempt.idempotency_key}-late`,
  })
  if (answer.outcome === 'unknown')
    throw new Error(`the late authorisation of ${attempt.reference} could not be cancelled yet: ${answer.why}`)
  await transact(deps.db, async (trx) => {
    const locked = await lockAttempt(trx, attempt.id)
    await isNews(trx, attempt, notification)
    if (answer.outcome === 'refused')
      return reportLateCancel(trx, locked, `the late authorisation ${pspReference} was not cancelled`)
    // A card that the gateway stored with this payment must be deleted there.
    await recordToldCard(trx, deps, locked, notification)
    await expectOutcome(trx, deps, lateCancelOf(attempt, pspReference, answer.pspReference))
  })
}
