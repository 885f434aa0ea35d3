import { formatPrice } from '#kit/contract/money.ts'
import { realNow } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import type { CardNotification } from '#providers/card/card.port.ts'
import { createTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { findNotifiedPayment, describeDifferentReference } from '#features/orders/server/notified-payments.store.ts'
import { countNotificationEvent, recordNotificationEvent } from '#features/orders/server/order-events.store.ts'
import {
  lockAttempt,
  insertGatewayNotification,
  listPaymentNotifications,
} from '#features/orders/server/payments.store.ts'
import { confirmGatewayRequests } from '#features/orders/server/unconfirmed-requests.store.ts'
import { isRefundOpen } from '../refunds.states.ts'
import type { RefundDeps } from './refunds.deps.ts'
import { transitionRefund, type Refund, listOrderRefunds } from './refunds.store.ts'

/** The event codes of the gateway's refund notifications. Only `REFUND` can report a success. */
export const refundEvents = ['REFUND', 'REFUND_FAILED', 'REFUNDED_REVERSED']

/**
 * Records a notification about a refund, which may arrive early, late or repeatedly. The caller has verified its
 * signature and merchant account. The notification's amount must match one of our refunds.
 */
export async function recordRefundNotification(deps: RefundDeps, notification: CardNotification): Promise<void> {
  const { eventCode, success, amount, currency } = notification
  const attempt = await findNotifiedPayment(deps, notification)
  if (!attempt) return
  await transact(deps.db, async (trx) => {
    await lockAttempt(trx, attempt.id)
    const allRefunds = await listOrderRefunds(trx, attempt.order_id)
    const matchingRefunds = allRefunds.filter(
      ({ amount_cents }) => amount_cents === amount && attempt.currency === currency,
    )
    const isRepeatedNotification = (await listPaymentNotifications(trx, notification.pspReference)).length > 0
    const refund =
      findReferencedRefund(matchingRefunds, notification) ??
      (isRepeatedNotification ? undefined : findLikelyRefund(matchingRefunds))
    // The notification names one of our refunds but gives a different amount. Repeated notifications about earlier attempts are harmless.
    const hasDifferentAmount = !refund && findReferencedRefund(allRefunds, notification) !== undefined
    if (hasDifferentAmount || (!refund && !isRepeatedNotification)) {
      // Don't mark the notification as seen, so that a later one with the correct amount is still recorded.
      await countNotificationEvent(trx, attempt.order_id, notification)
      return createTask(trx, {
        kind: 'refund',
        orderId: attempt.order_id,
        reason: `the gateway reported ${eventCode} of ${amount} cents ${currency} for ${attempt.reference}, but we made no such refund`,
      })
    }
    if (!(await insertGatewayNotification(trx, notification))) return
    await recordNotificationEvent(trx, attempt.order_id, notification)
    await confirmGatewayRequests(trx, attempt.reference, notification, refund?.reference)
    if (refund && (await isRedundantRefund(trx, refund, notification))) return
    const originalPspReference = refund?.attempt === 1 && eventCode === 'REFUND' ? refund.psp_reference : null
    if (refund && originalPspReference !== null && originalPspReference !== notification.pspReference)
      await createTask(trx, {
        kind: 'refund',
        orderId: attempt.order_id,
        reason: describeDifferentReference(
          `the refund ${refund.reference}`,
          originalPspReference,
          notification.pspReference,
        ),
      })
    // An open refund is settled when the gateway's response arrives, which carries the same reference as this notification.
    if (refund && isRefundFailureEvent(eventCode, success) && !isRefundOpen(refund.state))
      await recordReturnedRefund(trx, refund)
  })
  deps.log.info({ attempt: attempt.reference, event: eventCode, success }, 'the gateway reported')
}

/**
 * Whether a notification says that a retry failed, although the gateway has confirmed the refund under its first
 * reference. In that case, the money has been refunded and nothing is owed.
 */
async function isRedundantRefund(
  trx: Trx,
  { psp_reference: first }: Refund,
  { eventCode, success, pspReference }: CardNotification,
): Promise<boolean> {
  if (eventCode !== 'REFUND' || success || first === null || first === pspReference) return false
  const notifications = await listPaymentNotifications(trx, first)
  return (
    notifications.some((each) => each.event_code === 'REFUND' && each.success) &&
    !notifications.some(isFailureNotification)
  )
}

const isFailureNotification = (refundNotification: { event_code: string; success: boolean }): boolean =>
  isRefundFailureEvent(refundNotification.event_code, refundNotification.success)

export const isRefundFailureEvent = (eventCode: string, success: boolean): boolean => eventCode !== 'REFUND' || !success

const findReferencedRefund = (
  refunds: Refund[],
  { pspReference, merchantReference }: CardNotification,
): Refund | undefined =>
  refunds.find(({ psp_reference }) => psp_reference === pspReference) ??
  refunds.find(({ reference }) => reference === merchantReference)

/**
 * Guesses which refund a notification is about, if the gateway has not yet responded to us or names only the payment.
 * If several refunds have the same amount, any of them will do.
 */
const findLikelyRefund = (refunds: Refund[]): Refund | undefined =>
  refunds.findLast(({ state }) => isRefundOpen(state)) ?? refunds.findLast(({ state }) => state === 'received')

const returnedRefundDueDays = 3

export async function recordReturnedRefund(trx: Trx, refund: Refund): Promise<void> {
  if (!(await transitionRefund(trx, refund, 'returned'))) return
  await createTask(trx, {
    kind: 'refund',
    orderId: refund.order_id,
    subject: refund.id,
    // The gateway's reason may arrive before the response to our request, so it is kept in the order's events.
    reason: `the refund ${refund.reference} of ${formatPrice(refund.amount_cents)} did not reach the customer, who is still owed it`,
    dueAt: realNow().add({ hours: 24 * returnedRefundDueDays }),
  })
}
