import { toDate } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import type { CardNotification } from '#providers/card/card.port.ts'
import { type Attempt, toldOf } from '#features/orders/server/payments.store.ts'
import { type DisputeState, disputeTransitions, isDisputeOpen } from '../disputes.states.ts'
import { reportDispute, reportLostAfterAll, reportUndecided } from './dispute-tasks.ts'
import {
  type Dispute,
  findDisputeByReference,
  goOnWith,
  insertDispute,
  type KeptWord,
  setDueDate,
} from './disputes.store.ts'

export async function takeDispute(
  trx: Trx,
  attempt: Attempt,
  notification: CardNotification,
  state: DisputeState,
): Promise<void> {
  const { pspReference, amount, dueAt } = notification
  const known = await findDisputeByReference(trx, pspReference)
  if (!known) return reportDispute(trx, attempt, await insertTold(trx, attempt, notification, state))
  if (dueAt && isDisputeOpen(known.state, known.outcome)) await setDueDate(trx, known.id, toDate(dueAt))
  const isGivenBack = state === 'reversed' || state === 'won'
  if (isGivenBack && amount < known.amount_cents && canMove(known, state))
    // Only a part of the money came back, which our tables cannot represent.
    return reportUndecided(trx, attempt, notification, known)
  if (notification.eventCode === 'DISPUTE_DEFENSE_PERIOD_ENDED' && (await wasOnlyAsked(trx, known)))
    return reportUndecided(trx, attempt, notification, known)
  // Either this report is late, or the money is lost after all. Staff must check.
  if (state === 'lost' && known.state === 'won') return reportLostAfterAll(trx, attempt, notification)
  const keeps = await keptWord(trx, known, state, notification)
  const changed = await goOn(trx, known, state, { amount, keeps })
  if (changed) await reportDispute(trx, attempt, changed, { before: known, eventCode: notification.eventCode })
}

const canMove = ({ state }: Dispute, to: DisputeState): boolean =>
  to !== 'announced' && disputeTransitions[state][to] !== undefined

/** A request for information that nobody answered. No money has been taken, and perhaps none will be. */
const wasOnlyAsked = async (trx: Trx, { state, psp_reference }: Dispute): Promise<boolean> =>
  state === 'announced' &&
  (await toldOf(trx, psp_reference)).every(({ event_code: code }) => code !== 'NOTIFICATION_OF_CHARGEBACK')

/**
 * An accepted dispute keeps all entries while the money is taken, as expected. A contested dispute keeps its answer
 * until the bank asks a different question.
 */
async function keptWord(
  trx: Trx,
  known: Dispute,
  state: DisputeState,
  { eventCode }: CardNotification,
): Promise<KeptWord> {
  const isTaken = state === 'announced' || state === 'charged_back' || state === 'lost'
  if (known.answer === 'accepted') return isTaken ? 'all' : 'nothing'
  if (state === 'prearbitration' && known.state !== state) return 'nothing'
  if (known.state !== 'announced') return 'answer'
  // The answer was to a request for information, and now the bank takes the money.
  const isTold = eventCode === 'NOTIFICATION_OF_CHARGEBACK'
  return isTold || (state === 'charged_back' && (await wasOnlyAsked(trx, known))) ? 'nothing' : 'answer'
}

function goOn(
  trx: Trx,
  known: Dispute,
  state: DisputeState,
  { amount: cents, keeps }: { amount: number; keeps: KeptWord },
): Promise<Dispute | null> | null {
  if (state !== 'announced' && canMove(known, state)) return goOnWith(trx, known, { event: state, cents, keeps })
  // The amount of a late event is outdated too, so ignore it.
  const isOpenAgain =
    (known.outcome !== null && keeps !== 'all') || (known.answer === 'contested' && keeps === 'nothing')
  const isNews = state === known.state && (isOpenAgain || cents !== known.amount_cents)
  return isNews && isDisputeOpen(state) ? goOnWith(trx, known, { event: null, cents, keeps }) : null
}

async function insertTold(
  trx: Trx,
  attempt: Attempt,
  { pspReference, amount, currency, reason, dueAt }: CardNotification,
  state: DisputeState,
): Promise<Dispute> {
  const made = await insertDispute(trx, {
    order_id: attempt.order_id,
    psp_reference: pspReference,
    state,
    amount_cents: amount,
    currency,
    reason: reason.slice(0, 200).replaceAll(/\p{Cc}/gu, ' '),
    due_at: dueAt ? toDate(dueAt) : null,
  })
  // Concurrent notifications of this dispute wait for the payment's lock, so a conflict means a different payment.
  if (!made) throw new Error(`the dispute ${pspReference} is of another payment`)
  return made
}
