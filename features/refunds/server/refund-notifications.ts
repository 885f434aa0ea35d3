import { formatPrice } from '#kit/contract/money.ts'
import { realNow } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import type { CardNotification } from '#providers/card/card.port.ts'
import { reportToOperator } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { notifiedPayment, otherReference } from '#features/orders/server/notified-payments.store.ts'
import { countNotification, noteNotification } from '#features/orders/server/order-events.store.ts'
import { lockAttempt, rememberNotification, toldOf } from '#features/orders/server/payments.store.ts'
import { recordOutcomeOf } from '#features/orders/server/unconfirmed-calls.store.ts'
import { isRefundOpen } from '../refunds.states.ts'
import type { RefundDeps } from './refunds.deps.ts'
import { moveRefund, type Refund, refundsOf } from './refunds.store.ts'

/** What the gateway tells of refunds. Only the first of them may be good news. */
export const refundEvents = ['REFUND', 'REFUND_FAILED', 'REFUNDED_REVERSED']

/**
 * Records a notification about a refund, early, late or repeated. Its signature and account were checked; here it must be of the
 * amount of one that we asked for.
 */
export async function recordRefundNotification(deps: RefundDeps, notification: CardNotification): Promise<void> {
  const { eventCode, success, amount, currency } = notification
  const attempt = await notifiedPayment(deps, notification)
  if (!attempt) return
  await transact(deps.db, async (trx) => {
    await lockAttempt(trx, attempt.id)
    const all = await refundsOf(trx, attempt.order_id)
    const those = all.filter(({ amount_cents }) => amount_cents === amount && attempt.currency === currency)
    const isRepeated = (await toldOf(trx, notification.pspReference)).length > 0
    const refund = namedBy(those, notification) ?? (isRepeated ? undefined : meantBy(those))
    // What was told of an earlier try is known; another sum of one that stands is not.
    const isOtherSum = !refund && namedBy(all, notification) !== undefined
    if (isOtherSum || (!refund && !isRepeated)) {
      // It is not remembered, so that the right one is still recorded.
      await countNotification(trx, attempt.order_id, notification)
      return reportToOperator(trx, {
        kind: 'refund',
        orderId: attempt.order_id,
        reason: `the gateway reported ${eventCode} of ${amount} cents ${currency} for ${attempt.reference}: no refund of ours is that`,
      })
    }
    if (!(await rememberNotification(trx, notification))) return
    await noteNotification(trx, attempt.order_id, notification)
    await recordOutcomeOf(trx, attempt.reference, notification, refund?.reference)
    if (refund && (await isNeedlessRefund(trx, refund, notification))) return
    const answered = refund?.attempt === 1 && eventCode === 'REFUND' ? refund.psp_reference : null
    if (refund && answered !== null && answered !== notification.pspReference)
      await reportToOperator(trx, {
        kind: 'refund',
        orderId: attempt.order_id,
        reason: otherReference(`the refund ${refund.reference}`, answered, notification.pspReference),
      })
    // One that is still open is looked at when its answer comes: it has the reference by which it is known.
    if (refund && hasFailed(eventCode, success) && !isRefundOpen(refund.state)) await recordReturned(trx, refund)
  })
  deps.log.info({ attempt: attempt.reference, event: eventCode, success }, 'the gateway reported')
}

/** Whether a second try of a refund has failed that the gateway has confirmed under another reference: the money has gone back. */
async function isNeedlessRefund(
  trx: Trx,
  { psp_reference: first }: Refund,
  { eventCode, success, pspReference }: CardNotification,
): Promise<boolean> {
  if (eventCode !== 'REFUND' || success || first === null || first === pspReference) return false
  const told = await toldOf(trx, first)
  return told.some((each) => each.event_code === 'REFUND' && each.success) && !told.some(isFailure)
}

const isFailure = (each: { event_code: string; success: boolean }): boolean => hasFailed(each.event_code, each.success)

export const hasFailed = (eventCode: string, success: boolean): boolean => eventCode !== 'REFUND' || !success

const namedBy = (refunds: Refund[], { pspReference, merchantReference }: CardNotification): Refund | undefined =>
  refunds.find(({ psp_reference }) => psp_reference === pspReference) ??
  refunds.find(({ reference }) => reference === merchantReference)

/** Before its answer has come, or where the gateway names the payment only: of several of one amount any does. */
const meantBy = (refunds: Refund[]): Refund | undefined =>
  refunds.findLast(({ state }) => isRefundOpen(state)) ?? refunds.findLast(({ state }) => state === 'received')

const daysToGiveAgain = 3

/** It did not arrive, or came back: its note stays, the customer is owed the money, and a person gives it again. */
export async function recordReturned(trx: Trx, refund: Refund): Promise<void> {
  if (!(await moveRefund(trx, refund, 'returned'))) return
  await reportToOperator(trx, {
    kind: 'refund',
    orderId: refund.order_id,
    subject: refund.id,
    // What the gateway says of it is among the order's events: it may have come before our own answer.
    reason: `the refund ${refund.reference} of ${formatPrice(refund.amount_cents)} did not arrive, and its customer is owed it`,
    dueAt: realNow().add({ hours: 24 * daysToGiveAgain }),
  })
}
