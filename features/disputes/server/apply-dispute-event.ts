import { toDate } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import type { CardNotification } from '#providers/card/card.port.ts'
import { type Attempt, listPaymentNotifications } from '#features/orders/server/payments.store.ts'
import { type DisputeState, disputeTransitions, isDisputeOpen } from '../disputes.states.ts'
import { reportDispute, reportLossOfWonDispute, reportUndecidedDispute } from './dispute-tasks.ts'
import {
  type Dispute,
  findDisputeByReference,
  updateDispute,
  insertDispute,
  type EntriesToKeep,
  setDueDate,
} from './disputes.store.ts'

export async function applyDisputeEvent(
  trx: Trx,
  attempt: Attempt,
  notification: CardNotification,
  state: DisputeState,
): Promise<void> {
  const { pspReference, amount, dueAt } = notification
  const existingDispute = await findDisputeByReference(trx, pspReference)
  if (!existingDispute)
    return reportDispute(trx, attempt, await insertReportedDispute(trx, attempt, notification, state))
  if (dueAt && isDisputeOpen(existingDispute.state, existingDispute.outcome))
    await setDueDate(trx, existingDispute.id, toDate(dueAt))
  const isMoneyReturned = state === 'reversed' || state === 'won'
  if (isMoneyReturned && amount < existingDispute.amount_cents && canTransitionTo(existingDispute, state))
    // Our records cannot represent a partial reversal, so a task asks staff to decide.
    return reportUndecidedDispute(trx, attempt, notification, existingDispute)
  if (notification.eventCode === 'DISPUTE_DEFENSE_PERIOD_ENDED' && (await wasOnlyInquiry(trx, existingDispute)))
    return reportUndecidedDispute(trx, attempt, notification, existingDispute)
  // Staff must check whether this report is just late or the dispute we recorded as won has been lost after all.
  if (state === 'lost' && existingDispute.state === 'won') return reportLossOfWonDispute(trx, attempt, notification)
  const entriesToKeep = await chooseEntriesToKeep(trx, existingDispute, state, notification)
  const changedDispute = await updateReportedDispute(trx, existingDispute, state, { amount, keeps: entriesToKeep })
  if (changedDispute)
    await reportDispute(trx, attempt, changedDispute, { before: existingDispute, eventCode: notification.eventCode })
}

const canTransitionTo = ({ state }: Dispute, to: DisputeState): boolean =>
  to !== 'announced' && disputeTransitions[state][to] !== undefined

/**
 * Whether the bank has only requested information so far. In that case it has taken no money, and may never take any, even if nobody
 * answers.
 */
const wasOnlyInquiry = async (trx: Trx, { state, psp_reference }: Dispute): Promise<boolean> =>
  state === 'announced' &&
  (await listPaymentNotifications(trx, psp_reference)).every(
    ({ event_code: code }) => code !== 'NOTIFICATION_OF_CHARGEBACK',
  )

/**
 * Decides which of the staff's entries remain valid. An accepted dispute keeps all of them when the bank takes the money, because staff
 * expected that. A contested dispute keeps its answer until the bank asks a different question.
 */
async function chooseEntriesToKeep(
  trx: Trx,
  known: Dispute,
  state: DisputeState,
  { eventCode }: CardNotification,
): Promise<EntriesToKeep> {
  const isMoneyTaken = state === 'announced' || state === 'charged_back' || state === 'lost'
  if (known.answer === 'accepted') return isMoneyTaken ? 'all' : 'nothing'
  if (state === 'prearbitration' && known.state !== state) return 'nothing'
  if (known.state !== 'announced') return 'answer'
  // Staff answered a request for information. Now the bank is taking the money, so the dispute needs a new answer.
  const isChargebackNotified = eventCode === 'NOTIFICATION_OF_CHARGEBACK'
  return isChargebackNotified || (state === 'charged_back' && (await wasOnlyInquiry(trx, known))) ? 'nothing' : 'answer'
}

function updateReportedDispute(
  trx: Trx,
  known: Dispute,
  state: DisputeState,
  { amount: cents, keeps }: { amount: number; keeps: EntriesToKeep },
): Promise<Dispute | null> | null {
  if (state !== 'announced' && canTransitionTo(known, state))
    return updateDispute(trx, known, { event: state, cents, keeps })
  // A late event carries an outdated amount, so only an event that reports the current state may change the amount.
  const isReopened =
    (known.outcome !== null && keeps !== 'all') || (known.answer === 'contested' && keeps === 'nothing')
  const isRelevantChange = state === known.state && (isReopened || cents !== known.amount_cents)
  return isRelevantChange && isDisputeOpen(state) ? updateDispute(trx, known, { event: null, cents, keeps }) : null
}

async function insertReportedDispute(
  trx: Trx,
  attempt: Attempt,
  { pspReference, amount, currency, reason, dueAt }: CardNotification,
  state: DisputeState,
): Promise<Dispute> {
  const insertedDispute = await insertDispute(trx, {
    order_id: attempt.order_id,
    psp_reference: pspReference,
    state,
    amount_cents: amount,
    currency,
    reason: reason.slice(0, 200).replaceAll(/\p{Cc}/gu, ' '),
    due_at: dueAt ? toDate(dueAt) : null,
  })
  // The payment's lock serialises notifications about one dispute, so a conflicting row must belong to a different payment.
  if (!insertedDispute) throw new Error(`the dispute ${pspReference} belongs to another payment`)
  return insertedDispute
}
