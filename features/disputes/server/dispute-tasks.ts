import { formatPrice } from '#kit/contract/money.ts'
import { fromDate, realNow } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import type { CardNotification } from '#providers/card/card.port.ts'
import { endMatchingTasks, createTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { formatNotifiedAmount } from '#features/orders/server/notified-payments.store.ts'
import type { Attempt } from '#features/orders/server/payments.store.ts'
import { isDisputeOpen } from '../disputes.states.ts'
import type { Dispute } from './disputes.store.ts'

/** How many days staff have to contest a dispute if the gateway reports no deadline. Every card scheme allows at least this many. */
const defaultContestDays = 7

const getContestDeadline = ({ due_at: due }: Dispute): Temporal.Instant =>
  due ? fromDate(due) : realNow().add({ hours: 24 * defaultContestDays })

const amountLabel = ({ amount_cents, currency }: Dispute): string => `${formatPrice(amount_cents)} ${currency}`

export const closeDisputeTasks = (
  trx: Trx,
  { order_id: orderId, psp_reference: subject }: Pick<Dispute, 'order_id' | 'psp_reference'>,
): Promise<void> => endMatchingTasks(trx, { kind: 'dispute', orderId, subject })

export async function reportDispute(
  trx: Trx,
  { reference }: Attempt,
  dispute: Dispute,
  change?: { before: Dispute; eventCode: string },
): Promise<void> {
  const { state, outcome, psp_reference: psp, order_id: orderId } = dispute
  const taskSubject = { kind: 'dispute', orderId, subject: psp } as const
  const hasAmountChanged = change && change.before.amount_cents !== dispute.amount_cents
  // Arbitration makes earlier tasks about the dispute obsolete.
  const isNewArbitration = change && state === 'prearbitration' && change.before.state !== state
  if (!isDisputeOpen(state, outcome) || hasAmountChanged || isNewArbitration) await closeDisputeTasks(trx, dispute)
  // Staff have accepted the dispute, so they already know that the money is lost and need no task.
  if (dispute.answer === 'accepted') return
  if (state === 'lost')
    return createTask(trx, {
      ...taskSubject,
      reason: `the dispute ${psp} is lost: ${amountLabel(dispute)} of ${reference}`,
    })
  if (!isDisputeOpen(state)) return
  await createTask(trx, {
    ...taskSubject,
    reason: describeOpenDispute(reference, dispute, change),
    dueAt: getContestDeadline(dispute),
  })
}

/** Creates a task to check whether the evidence was successful, due at the dispute's deadline. */
export const reportContestedDispute = (trx: Trx, { reference }: Attempt, dispute: Dispute): Promise<void> =>
  createTask(trx, {
    kind: 'dispute',
    orderId: dispute.order_id,
    subject: dispute.psp_reference,
    reason: describeContestedDispute(reference, dispute),
    dueAt: getContestDeadline(dispute),
  })

const describeContestedDispute = (reference: string, dispute: Dispute): string =>
  `the dispute of ${amountLabel(dispute)} of ${reference} (${dispute.psp_reference}) is contested: ` +
  `check the outcome of the evidence ${dispute.evidence_reference} on the gateway’s site`

function describeOpenDispute(
  reference: string,
  dispute: Dispute,
  change?: { before: Dispute; eventCode: string },
): string {
  const disputedAmount = `${amountLabel(dispute)} of ${reference} (${dispute.psp_reference})`
  if (change?.before.outcome)
    return `the bank continues the dispute of ${disputedAmount}, which was closed as ${change.before.outcome}: ${change.eventCode}`
  if (dispute.answer === 'contested') return describeContestedDispute(reference, dispute)
  return dispute.state === 'prearbitration'
    ? `the bank takes the dispute of ${disputedAmount} to arbitration: accept or contest it`
    : `the bank disputes ${disputedAmount}: accept or contest it`
}

export const reportUndecidedDispute = (
  trx: Trx,
  attempt: Attempt,
  notification: CardNotification,
  known?: Dispute,
): Promise<void> =>
  reportDisputeEvent(
    trx,
    attempt,
    notification,
    `${known ? `, of which ${amountLabel(known)} is disputed here` : ''}: ` +
      'check it on the gateway’s site, and close the dispute if it is over',
  )

export const reportLossOfWonDispute = (trx: Trx, attempt: Attempt, notification: CardNotification): Promise<void> =>
  reportDisputeEvent(trx, attempt, notification, ', which is won here: check it on the gateway’s site')

const reportDisputeEvent = (
  trx: Trx,
  { reference, order_id: orderId }: Attempt,
  notification: CardNotification,
  suffix: string,
): Promise<void> => {
  const { eventCode, pspReference: subject } = notification
  const reason = `the gateway reported ${eventCode} of ${formatNotifiedAmount(notification)} for ${reference} (${subject})${suffix}`
  return createTask(trx, { kind: 'dispute', orderId, subject, reason })
}
