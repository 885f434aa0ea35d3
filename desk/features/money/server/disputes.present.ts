import { dayIn, formatLongDate } from '#kit/contract/days.ts'
import { centsToDecimal } from '#kit/contract/money.ts'
import { realNow } from '#kit/server/clock.ts'
import { disputeOutcomes } from '#features/disputes/disputes.states.ts'
import { findReasonNotToAccept, findReasonNotToContest } from '#features/disputes/server/answer-dispute.ts'
import { findReasonNotToClose } from '#features/disputes/server/close-dispute.ts'
import type { Dispute } from '#features/disputes/server/disputes.store.ts'
import { maskFullName } from '#desk/features/staff/server/person.present.ts'
import type { DeskDispute } from '../disputes.contract.ts'
import { secondsLeft, reasonText, disputeStateLabel } from './dispute.labels.ts'
import { type DisputeEvidence, presentEvidence } from './evidence.view.ts'

/**
 * Converts a dispute to the response. The response's `today` is the real date even if a demo's clock has been moved,
 * because banks and gateways use the real date.
 * @param zone the market's time zone
 */
export function presentDispute(disputed: DisputeEvidence, zone: string): DeskDispute {
  const { dispute } = disputed
  const { order } = disputed.whole
  const paid = disputed.whole.attempts.find(({ state }) => state === 'captured')
  return {
    reference: dispute.psp_reference,
    order: order.order_code,
    title: order.product.title,
    customer: { id: order.user_id, name: maskFullName(order.full_name) },
    amount: centsToDecimal(dispute.amount_cents),
    paid: centsToDecimal(paid?.amount_cents ?? 0),
    currency: dispute.currency,
    reason: reasonText(dispute),
    state: dispute.state,
    ...disputeStateLabel(dispute),
    told: dispute.created_at.toISOString(),
    due: dispute.due_at?.toISOString() ?? null,
    left_seconds: secondsLeft(dispute),
    said: describeDisputeAnswer(dispute, zone),
    evidence: presentEvidence(disputed),
    accept_why: findReasonNotToAccept(dispute),
    contest_why: findReasonNotToContest(dispute),
    close_why: findReasonNotToClose(dispute),
    outcomes: disputeOutcomes.filter((outcome) => findReasonNotToClose(dispute, outcome) === null),
    today: realNow().toZonedDateTimeISO(zone).toPlainDate().toString(),
  }
}

const actorName = (actor: string | null): string => actor?.replace(/^[a-z]+:/, '') ?? 'Someone'

function describeDisputeAnswer(dispute: Dispute, zone: string): string[] {
  const { answer, answered_by: answeredBy, evidence_reference: evidence, handed_in_at: at, outcome, note } = dispute
  const day = at ? formatLongDate(dayIn(at.toISOString(), zone)) : ''
  return [
    ...(answer === 'contested'
      ? [
          `${actorName(answeredBy)} submitted evidence on the gateway’s site on ${day}, under the reference ${evidence}.`,
          'The gateway notifies us of the outcome automatically.',
        ]
      : []),
    ...(answer === 'accepted'
      ? [`${actorName(answeredBy)} accepted the dispute: the bank keeps the money, so it can’t be refunded as well.`]
      : []),
    ...(outcome && answer !== 'accepted' ? [`${actorName(dispute.closed_by)} closed the dispute as ${outcome}.`] : []),
    ...(note ? [`“${note}”`] : []),
  ]
}
