import { type Db, transact } from '#kit/server/db.ts'
import type { Log } from '#kit/server/log.ts'
import type { CardNotification } from '#providers/card/card.port.ts'
import { isMoneyReserved } from '../payment-attempts.states.ts'
import { formatNotifiedAmount, recordNotificationIfNew, reportPaymentTask } from './notified-payments.store.ts'
import { type Attempt, lockAttempt } from './payments.store.ts'

/**
 * Gateway events that need no action, so they are only recorded. Any other unrequested event creates a task for the
 * operator.
 */
const expectedEvents = new Set([
  'OFFER_CLOSED',
  'ORDER_OPENED',
  'ORDER_CLOSED',
  'CANCEL_AUTORESCUE',
  'MANUAL_REVIEW_ACCEPT',
  'POSTPONED_REFUND',
  'REPORT_AVAILABLE',
  'ACH_NOTIFICATION_OF_CHANGE',
  'DIRECT_DEBIT_NOTICE_OF_CHANGE_NOTIFICATION',
])

const outsidePortalClause = 'at the gateway, and not by this portal'

/** The text for each event in a task. The sentence starts with "the payment X of $22.00 NZD …". */
const eventClauses: Readonly<Record<string, string>> = {
  AUTHORISATION_ADJUSTMENT: `had its reserved amount changed ${outsidePortalClause}`,
  CANCEL_OR_REFUND: `was cancelled or refunded ${outsidePortalClause}`,
  REFUND_WITH_DATA: `was refunded to another card ${outsidePortalClause}`,
  VOID_PENDING_REFUND: `had a refund cancelled ${outsidePortalClause}`,
  AUTORESCUE: 'was retried by the gateway itself (Auto Rescue): switch that off in the gateway’s account',
  EXPIRE: 'expired at the gateway before it was taken',
  MANUAL_REVIEW_REJECT: 'was rejected by a review at the gateway, which refunds it',
}

export async function recordUnrequestedEvent(
  deps: { db: Db; log: Log },
  attempt: Attempt,
  notification: CardNotification,
): Promise<void> {
  const { eventCode, success } = notification
  await transact(deps.db, async (trx) => {
    const { state } = await lockAttempt(trx, attempt.id)
    if (!(await recordNotificationIfNew(trx, attempt, notification))) return
    if (expectedEvents.has(eventCode) && success) return
    // Ignore the expiry of money that has already been released.
    if (eventCode === 'EXPIRE' && !isMoneyReserved(state) && state !== 'captured') return
    await reportPaymentTask(trx, attempt, describeUnrequestedEvent(attempt, notification))
  })
  deps.log.info({ attempt: attempt.reference, event: eventCode, success }, 'the gateway reported')
}

function describeUnrequestedEvent({ reference }: Attempt, notification: CardNotification): string {
  const { eventCode, success, reason } = notification
  const eventClause = success && Object.hasOwn(eventClauses, eventCode) ? eventClauses[eventCode] : undefined
  const gatewayReport =
    `the gateway reported ${eventCode}${success ? '' : ' without success'} ` +
    `of ${formatNotifiedAmount(notification)} for ${reference}`
  if (eventClause) return `the payment ${reference} of ${formatNotifiedAmount(notification)} ${eventClause}`
  if (success) return `${gatewayReport}: an unknown event, so check the payment on the gateway’s site`
  return reason ? `${gatewayReport}: ${reason}` : gatewayReport
}
