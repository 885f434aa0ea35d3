import { formatPrice } from '#kit/contract/money.ts'
import { fromDate, realNow } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import type { CardNotification } from '#providers/card/card.port.ts'
import { endTasksAbout, reportToOperator } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { amountOf } from '#features/orders/server/notified-payments.store.ts'
import type { Attempt } from '#features/orders/server/payments.store.ts'
import { isDisputeOpen } from '../disputes.states.ts'
import type { Dispute } from './disputes.store.ts'

/** The assumed days to contest when the gateway reports no deadline; short enough for every card. */
const daysToContest = 7

const dueOf = ({ due_at: due }: Dispute): Temporal.Instant =>
  due ? fromDate(due) : realNow().add({ hours: 24 * daysToContest })

const moneyOf = ({ amount_cents, currency }: Dispute): string => `${formatPrice(amount_cents)} ${currency}`

export const endDisputeTasks = (
  trx: Trx,
  { order_id: orderId, psp_reference: subject }: Pick<Dispute, 'order_id' | 'psp_reference'>,
): Promise<void> => endTasksAbout(trx, { kind: 'dispute', orderId, subject })

export async function reportDispute(
  trx: Trx,
  { reference }: Attempt,
  dispute: Dispute,
  change?: { before: Dispute; eventCode: string },
): Promise<void> {
  const { state, outcome, psp_reference: psp, order_id: orderId } = dispute
  const about = { kind: 'dispute', orderId, subject: psp } as const
  const isAnotherSum = change && change.before.amount_cents !== dispute.amount_cents
  // The tasks from before the arbitration are obsolete.
  const isAnotherQuestion = change && state === 'prearbitration' && change.before.state !== state
  if (!isDisputeOpen(state, outcome) || isAnotherSum || isAnotherQuestion) await endDisputeTasks(trx, dispute)
  // The person who accepted the dispute knows the outcome.
  if (dispute.answer === 'accepted') return
  if (state === 'lost')
    return reportToOperator(trx, {
      ...about,
      reason: `the dispute ${psp} is lost: ${moneyOf(dispute)} of ${reference}`,
    })
  if (!isDisputeOpen(state)) return
  await reportToOperator(trx, { ...about, reason: whatToDo(reference, dispute, change), dueAt: dueOf(dispute) })
}

/** Keeps the deadline as the task's due date, so that somebody then checks for an outcome. */
export const reportContested = (trx: Trx, { reference }: Attempt, dispute: Dispute): Promise<void> =>
  reportToOperator(trx, {
    kind: 'dispute',
    orderId: dispute.order_id,
    subject: dispute.psp_reference,
    reason: waitsForBank(reference, dispute),
    dueAt: dueOf(dispute),
  })

const waitsForBank = (reference: string, dispute: Dispute): string =>
  `the dispute of ${moneyOf(dispute)} of ${reference} (${dispute.psp_reference}) is contested: ` +
  `check the outcome of the evidence ${dispute.evidence_reference} on the gateway’s site`

function whatToDo(reference: string, dispute: Dispute, change?: { before: Dispute; eventCode: string }): string {
  const money = `${moneyOf(dispute)} of ${reference} (${dispute.psp_reference})`
  if (change?.before.outcome)
    return `the bank continues the dispute of ${money}, which was closed as ${change.before.outcome}: ${change.eventCode}`
  if (dispute.answer === 'contested') return waitsForBank(reference, dispute)
  return dispute.state === 'prearbitration'
    ? `the bank takes the dispute of ${money} to arbitration: accept or contest it`
    : `the bank disputes ${money}: accept or contest it`
}

export const reportUndecided = (
  trx: Trx,
  attempt: Attempt,
  notification: CardNotification,
  known?: Dispute,
): Promise<void> =>
  reportTold(
    trx,
    attempt,
    notification,
    `${known ? `, of which ${moneyOf(known)} is disputed here` : ''}: check it on the gateway’s site, and close the dispute if it is over`,
  )

export const reportLostAfterAll = (trx: Trx, attempt: Attempt, notification: CardNotification): Promise<void> =>
  reportTold(trx, attempt, notification, ', which is won here: check it on the gateway’s site')

const reportTold = (
  trx: Trx,
  { reference, order_id: orderId }: Attempt,
  notification: CardNotification,
  rest: string,
): Promise<void> => {
  const { eventCode, pspReference: subject } = notification
  const reason = `the gateway reported ${eventCode} of ${amountOf(notification)} for ${reference} (${subject})${rest}`
  return reportToOperator(trx, { kind: 'dispute', orderId, subject, reason })
}
