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

/** The event codes of refund notifications. Only `REFUND` can report a success. */
export const refundEvents = ['REFUND', 'REFUND_FAILED', 'REFUNDED_REVERSED']

/**
 * Records a notification about a refund, which may be early, late or repeated. Its signature and account are already
 * verified. Its amount must match one of our refunds.
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
    // A repeated notification about an earlier attempt is known already. A current refund with a different amount is
    // not.
    const isOtherSum = !refund && namedBy(all, notification) !== undefined
    if (isOtherSum || (!refund && !isRepeated)) {
      // Not remembered as seen, so that the correct notification is still recorded.
      await countNotification(trx, attempt.order_id, notification)
      return reportToOperator(trx, {
        kind: 'refund',
        orderId: attempt.order_id,
        reason: `the gateway reported ${eventCode} of ${amount} cents ${currency} for ${attempt.reference}, but we made no such refund`,
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
    // An open refund is checked when its response arrives, because the response has the reference of this notification.
    if (refund && hasFailed(eventCode, success) && !isRefundOpen(refund.state)) await recordReturned(trx, refund)
  })
  deps.log.info({ attempt: attempt.reference, event: eventCode, success }, 'the gateway reported')
}

/**
 * Whether a retry failed for a refund that the gateway has confirmed under its first reference. The money has gone
 * back, so nothing is owed.
 */
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

/**
 * Used when the response is still missing, or the gateway names only the payment. Any of several refunds with the same
 * amount will do.
 */
const meantBy = (refunds: Refund[]): Refund | undefined =>
  refunds.findLast(({ state }) => isRefundOpen(state)) ?? refunds.findLast(({ state }) => state === 'received')

const daysToGiveAgain = 3

export async function recordReturned(trx: Trx, refund: Refund): Promise<void> {
  if (!(await moveRefund(trx, refund, 'returned'))) return
  await reportToOperator(trx, {
    kind: 'refund',
    orderId: refund.order_id,
    subject: refund.id,
    // The gateway's reason is in the order's events, because it may arrive before the response to our call.
    reason: `the refund ${refund.reference} of ${formatPrice(refund.amount_cents)} did not reach the customer, who is still owed it`,
    dueAt: realNow().add({ hours: 24 * daysToGiveAgain }),
  })
}
