import { transact, type Trx } from '#kit/server/db.ts'
import type { CardNotification } from '#providers/card/card.port.ts'
import {
  formatNotifiedAmount,
  recordNotificationIfNew,
  findNotifiedPayment,
  reportPaymentTask,
} from '#features/orders/server/notified-payments.store.ts'
import { countNotificationEvent } from '#features/orders/server/order-events.store.ts'
import { findOrder } from '#features/orders/server/orders.store.ts'
import { type Attempt, lockAttempt } from '#features/orders/server/payments.store.ts'
import type { DisputeState } from '../disputes.states.ts'
import { reportUndecidedDispute } from './dispute-tasks.ts'
import type { DisputeDeps } from './disputes.deps.ts'
import { applyDisputeEvent } from './apply-dispute-event.ts'

/** The state that each gateway event leads to; `null` for an event that does not change the state. */
const stateByEvent: Readonly<Record<string, DisputeState | null>> = {
  REQUEST_FOR_INFORMATION: 'announced',
  NOTIFICATION_OF_CHARGEBACK: 'announced',
  CHARGEBACK: 'charged_back',
  CHARGEBACK_REVERSED: 'reversed',
  PREARBITRATION_OPEN: 'prearbitration',
  PREARBITRATION_DECLINED: 'prearbitration',
  SCHEME_ARBITRATION: 'prearbitration',
  SECOND_CHARGEBACK: 'lost',
  // The provider accepted the dispute or did not contest it in time.
  DISPUTE_DEFENSE_PERIOD_ENDED: 'lost',
  PREARBITRATION_ACCEPTED: 'lost',
  PREARBITRATION_LOST: 'lost',
  SCHEME_ARBITRATION_LOST: 'lost',
  // The bank accepted the evidence or did not respond in time.
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: 'won',
  PREARBITRATION_WON: 'won',
  SCHEME_ARBITRATION_WON: 'won',
  // The bank may still reopen the dispute, so this event does not change the state. Staff who know that the dispute is over can close it.
  PREARBITRATION_ISSUER_WITHDRAWN: null,
  NOTIFICATION_OF_FRAUD: null,
  INFORMATION_SUPPLIED: null,
  ISSUER_COMMENTS: null,
}

/** The bank's warning that a payment was fraudulent, sent before it takes any money back. */
const fraudEvent = 'NOTIFICATION_OF_FRAUD'

export const isDisputeEvent = (eventCode: string): boolean => Object.hasOwn(stateByEvent, eventCode)

const getStateAfterEvent = (eventCode: string): DisputeState | null => stateByEvent[eventCode] ?? null

export const disputeEvents = Object.keys(stateByEvent).filter((event) => stateByEvent[event])

/**
 * Records a notification about a dispute. The notification may arrive late, twice, or before the result of our capture.
 * The caller must have checked its signature and merchant account. All notifications about one dispute carry the same PSP
 * reference.
 */
export async function recordDisputeNotification(deps: DisputeDeps, notification: CardNotification): Promise<void> {
  const { eventCode, success } = notification
  const attempt = await findNotifiedPayment(deps, notification, { isDispute: true })
  if (!attempt) return
  const state = success ? getStateAfterEvent(eventCode) : null
  await transact(deps.db, async (trx) => {
    // This lock serialises refunds and disputes on the same payment.
    await lockAttempt(trx, attempt.id)
    if (state && !isValidAmount(attempt, notification)) return reportInvalidAmount(trx, attempt, notification)
    if (!(await recordNotificationIfNew(trx, attempt, notification))) return
    if (state) await applyDisputeEvent(trx, attempt, notification, state)
    else if (eventCode === fraudEvent) await reportFraud(trx, attempt, notification)
    else if (eventCode === 'PREARBITRATION_ISSUER_WITHDRAWN') await reportUndecidedDispute(trx, attempt, notification)
  })
  deps.log.info({ attempt: attempt.reference, event: eventCode, success }, 'the gateway reported')
}

/** Upper limit for amounts in cents, because the column is a 32-bit integer. No real payment comes close. */
const maxAmountCents = 2 ** 31

const isValidAmount = (attempt: Attempt, { amount, currency, pspReference }: CardNotification): boolean =>
  amount > 0 && amount < maxAmountCents && currency === attempt.currency && pspReference !== ''

/** Creates a task about an invalid amount, but does not mark the notification as seen, so that a correction can be recorded. */
async function reportInvalidAmount(trx: Trx, attempt: Attempt, notification: CardNotification): Promise<void> {
  const { eventCode, amount, currency } = notification
  await countNotificationEvent(trx, attempt.order_id, notification)
  await reportPaymentTask(
    trx,
    attempt,
    `the gateway reported ${eventCode} of ${amount} cents ${currency} for ${attempt.reference}`,
    'dispute',
  )
}

/** Creates a task, because staff can still refund the payment or block the customer before the bank takes the money back. */
async function reportFraud(trx: Trx, attempt: Attempt, notification: CardNotification): Promise<void> {
  const order = await findOrder(trx, attempt.order_id)
  const customer = order?.user_id ? `customer ${order.user_id}` : 'a customer without an account'
  await reportPaymentTask(
    trx,
    attempt,
    `the bank calls the payment ${attempt.reference} of ${formatNotifiedAmount(notification)} fraudulent (${customer}): ` +
      'refund it before it is charged back, or block its customer',
    'dispute',
  )
}
