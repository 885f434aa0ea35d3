import { formatPrice } from '#kit/contract/money.ts'
import { fromDate, realNow, toDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import type { CardNotification } from '#providers/card/card.port.ts'
import { reportToOperator } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { noteNotification } from '#features/orders/server/order-events.store.ts'
import {
  type Attempt,
  findNotifiedAttempt,
  lockAttempt,
  rememberNotification,
} from '#features/orders/server/payments.store.ts'
import { type DisputeState, isDisputeOpen } from '../disputes.states.ts'
import type { DisputeDeps } from './disputes.deps.ts'
import { type Dispute, findDisputeByReference, insertDispute, moveDispute, setDueDate } from './disputes.store.ts'

/** What the gateway tells of disputes, and where each leaves one; null: it changes nothing. */
const told: Readonly<Record<string, DisputeState | null>> = {
  REQUEST_FOR_INFORMATION: 'announced',
  NOTIFICATION_OF_CHARGEBACK: 'announced',
  CHARGEBACK: 'charged_back',
  CHARGEBACK_REVERSED: 'reversed',
  PREARBITRATION_WON: 'reversed',
  SECOND_CHARGEBACK: 'lost',
  PREARBITRATION_LOST: 'lost',
  NOTIFICATION_OF_FRAUD: null,
  INFORMATION_SUPPLIED: null,
  ISSUER_COMMENTS: null,
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: null,
  DISPUTE_DEFENSE_PERIOD_ENDED: null,
}

export const isAboutDispute = (eventCode: string): boolean => Object.hasOwn(told, eventCode)

/** The events after which there is a dispute. */
export const disputeEvents = Object.keys(told).filter((event) => told[event])

/**
 * Records a notification about a dispute: before our capture is known, twice, or after what followed it. Its signature and account
 * were checked; all that tell of one dispute have its reference.
 */
export async function recordDisputeNotification(deps: DisputeDeps, notification: CardNotification): Promise<void> {
  const { eventCode, success, amount, currency } = notification
  const attempt = await findNotifiedAttempt(deps.db, notification.merchantReference)
  if (!attempt) return deps.log.warn({ event: eventCode }, 'a notification names no attempt of ours')
  const state = success ? told[eventCode] : null
  if (state && (amount <= 0 || currency !== attempt.currency))
    // It is not remembered, so that the right one is still recorded.
    return reportToOperator(deps.db, {
      kind: 'dispute',
      orderId: attempt.order_id,
      reason: `the gateway reported ${eventCode} of ${amount} cents ${currency} for ${attempt.reference}`,
    })
  await transact(deps.db, async (trx) => {
    // Refunds and disputes of one payment take turns.
    await lockAttempt(trx, attempt.id)
    if (!(await rememberNotification(trx, notification))) return
    await noteNotification(trx, attempt.order_id, notification)
    const dispute = state && (await changed(trx, attempt, notification, state))
    if (dispute) await reportDispute(trx, attempt, dispute)
  })
  deps.log.info({ attempt: attempt.reference, event: eventCode, success }, 'the gateway reported')
}

/** The dispute as it is then; null when nothing has changed by what was told. */
async function changed(
  trx: Trx,
  attempt: Attempt,
  { pspReference, amount, currency, reason, dueAt }: CardNotification,
  state: DisputeState,
): Promise<Dispute | null> {
  const due_at = dueAt ? toDate(dueAt) : null
  const known = await findDisputeByReference(trx, pspReference)
  if (known && due_at && isDisputeOpen(known.state)) await setDueDate(trx, known.id, due_at)
  if (known) return state === 'announced' ? null : moveDispute(trx, known, state)
  const made = await insertDispute(trx, {
    order_id: attempt.order_id,
    psp_reference: pspReference,
    state,
    amount_cents: amount,
    currency,
    reason: reason.slice(0, 200).replaceAll(/\p{Cc}/gu, ' '),
    due_at,
  })
  return made ?? null
}

/** Where the gateway has not said until when it can be contested: soon enough for every card. */
const daysToContest = 7

async function reportDispute(trx: Trx, { reference }: Attempt, dispute: Dispute): Promise<void> {
  const { state, psp_reference: psp, order_id: orderId, due_at } = dispute
  const money = `${formatPrice(dispute.amount_cents)} ${dispute.currency}`
  if (isDisputeOpen(state))
    return reportToOperator(trx, {
      kind: 'dispute',
      orderId,
      reason: `the bank disputes ${money} of ${reference} (${psp}): accept or contest it`,
      dueAt: due_at ? fromDate(due_at) : realNow().add({ hours: 24 * daysToContest }),
    })
  if (state === 'lost')
    await reportToOperator(trx, {
      kind: 'dispute',
      orderId,
      reason: `the dispute ${psp} is lost: ${money} of ${reference}`,
    })
}
