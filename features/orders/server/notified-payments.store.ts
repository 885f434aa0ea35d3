import { formatPrice } from '#kit/contract/money.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { Log } from '#kit/server/log.ts'
import type { CardNotification } from '#providers/card/card.port.ts'
import { createTask, type TaskKind } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { parsePaymentReference } from './references.present.ts'
import { countNotificationEvent, recordNotificationEvent } from './order-events.store.ts'
import { listOrderPrefixes } from './order-prefixes.store.ts'
import { type Attempt, findNotifiedAttempt, insertGatewayNotification } from './payments.store.ts'

const eventsWithoutPayment = new Set([
  'REPORT_AVAILABLE',
  'RECURRING_CONTRACT',
  'OFFER_CLOSED',
  'ORDER_OPENED',
  'ORDER_CLOSED',
  'CANCEL_AUTORESCUE',
  'MANUAL_REVIEW_ACCEPT',
  'ACH_NOTIFICATION_OF_CHANGE',
  'DIRECT_DEBIT_NOTICE_OF_CHANGE_NOTIFICATION',
])

/**
 * Finds the payment attempt that a notification is about. A notification about an unknown payment is logged and creates a
 * task. If its reference has our format (for example after restoring a backup), there is one task per payment, otherwise
 * one per event type. A dispute about an unknown payment gets a task of its own, because the provider must answer it in time.
 */
export async function findNotifiedPayment(
  { db, log }: { db: Db; log: Log },
  notification: CardNotification,
  { isDispute = false } = {},
): Promise<Attempt | undefined> {
  const { eventCode, merchantReference } = notification
  const attempt = await findNotifiedAttempt(db, merchantReference)
  if (attempt) return attempt
  if (eventsWithoutPayment.has(eventCode)) {
    log.info({ event: eventCode }, 'the gateway reported an event that concerns no payment')
    return undefined
  }
  log.warn({ event: eventCode }, 'a notification is about an unknown payment')
  await reportUnknownPayment(db, notification, isDispute)
  return undefined
}

/**
 * Creates a task about an unknown payment. Its text does not identify the individual notification, so that repeated
 * notifications create only one task.
 */
async function reportUnknownPayment(db: Db, { eventCode, merchantReference }: CardNotification, isDispute: boolean) {
  const reference = parsePaymentReference(merchantReference, await listOrderPrefixes(db))
  const taskSubject = reference
    ? {
        subject: reference,
        reason:
          `the gateway reports ${isDispute ? 'a dispute of ' : ''}the payment ${reference}, ` +
          'which is not in our tables: check it on the gateway’s site',
      }
    : {
        subject: 'card gateway',
        reason: `the gateway reports ${eventCode} for payments that we did not make: does something else use our merchant account?`,
      }
  await createTask(db, { kind: 'payment', ...taskSubject })
}

/**
 * Records a notification about a payment that the caller has locked. Returns false if the notification has already been
 * recorded. A notification without a PSP reference cannot be recognised as a duplicate, so it is always counted as new.
 */
export async function recordNotificationIfNew(
  trx: Trx,
  { order_id: orderId }: Pick<Attempt, 'order_id'>,
  notification: CardNotification,
): Promise<boolean> {
  if (notification.pspReference === '') {
    await countNotificationEvent(trx, orderId, notification)
    return true
  }
  if (!(await insertGatewayNotification(trx, notification))) return false
  await recordNotificationEvent(trx, orderId, notification)
  return true
}

/** Formats the amount and currency as the gateway sent them, without checking either. */
export const formatNotifiedAmount = ({ amount, currency }: Pick<CardNotification, 'amount' | 'currency'>): string =>
  `${formatPrice(amount)} ${currency}`.trim()

export const describeDifferentReference = (
  callName: string,
  responseReference: string,
  notifiedReference: string,
): string =>
  `the gateway answered for ${callName} with the reference ${responseReference}, and reports it as ${notifiedReference}: ` +
  'check both there, and make sure that the payment or refund was made only once'

export const reportPaymentTask = (
  db: Db | Trx,
  { order_id: orderId }: Pick<Attempt, 'order_id'>,
  reason: string,
  kind: TaskKind = 'payment',
): Promise<void> => createTask(db, { kind, orderId, reason })
