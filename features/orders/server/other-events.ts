import { type Db, transact } from '#kit/server/db.ts'
import type { Log } from '#kit/server/log.ts'
import type { CardNotification } from '#providers/card/card.port.ts'
import { isReserved } from '../payment-attempts.states.ts'
import { amountOf, isNews, reportPayment } from './notified-payments.store.ts'
import { type Attempt, lockAttempt } from './payments.store.ts'

/** Events that are only recorded. Any other event that we did not cause creates a task for the operator. */
const noted = new Set([
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

const byAnother = 'at the gateway, and not by this product'

/** The end of a sentence that begins "the payment X of $22.00 NZD …". */
const happened: Readonly<Record<string, string>> = {
  AUTHORISATION_ADJUSTMENT: `had its reserved amount changed ${byAnother}`,
  CANCEL_OR_REFUND: `was cancelled or refunded ${byAnother}`,
  REFUND_WITH_DATA: `was refunded to another card ${byAnother}`,
  VOID_PENDING_REFUND: `had a refund cancelled ${byAnother}`,
  AUTORESCUE: 'was retried by the gateway itself (Auto Rescue): switch that off in the gateway’s account',
  EXPIRE: 'expired at the gateway before it was taken',
  MANUAL_REVIEW_REJECT: 'was rejected by a review at the gateway, which refunds it',
}

export async function recordOtherEvent(
  deps: { db: Db; log: Log },
  attempt: Attempt,
  notification: CardNotification,
): Promise<void> {
  const { eventCode, success } = notification
  await transact(deps.db, async (trx) => {
    const { state } = await lockAttempt(trx, attempt.id)
    if (!(await isNews(trx, attempt, notification))) return
    if (noted.has(eventCode) && success) return
    // Released money cannot expire.
    if (eventCode === 'EXPIRE' && !isReserved(state) && state !== 'captured') return
    await reportPayment(trx, attempt, sentenceOf(attempt, notification))
  })
  deps.log.info({ attempt: attempt.reference, event: eventCode, success }, 'the gateway reported')
}

function sentenceOf({ reference }: Attempt, notification: CardNotification): string {
  const { eventCode, success, reason } = notification
  const what = success && Object.hasOwn(happened, eventCode) ? happened[eventCode] : undefined
  const told = `the gateway reported ${eventCode}${success ? '' : ' without success'} of ${amountOf(notification)} for ${reference}`
  if (what) return `the payment ${reference} of ${amountOf(notification)} ${what}`
  if (success) return `${told}: an unknown event, so check the payment on the gateway’s site`
  return reason ? `${told}: ${reason}` : told
}
