import { toWire } from '#kit/contract/money.ts'
import { realNow } from '#kit/server/clock.ts'
import { disputeOutcomes } from '#features/disputes/disputes.states.ts'
import { whyNotAccepted, whyNotContested } from '#features/disputes/server/answer-dispute.ts'
import { whyNotClosed } from '#features/disputes/server/close-dispute.ts'
import type { Dispute } from '#features/disputes/server/disputes.store.ts'
import { maskedFullName } from '#desk/features/staff/server/person.present.ts'
import type { DeskDispute } from '../disputes.contract.ts'
import { leftOf, reasonOf, standingOf } from './dispute-words.ts'
import { type Disputed, presentEvidence } from './evidence.view.ts'

/** `today` is by real time, which banks and gateways use. @param zone the market's time zone */
export function presentDispute(disputed: Disputed, zone: string): DeskDispute {
  const { dispute } = disputed
  const { order } = disputed.whole
  const paid = disputed.whole.attempts.find(({ state }) => state === 'captured')
  return {
    reference: dispute.psp_reference,
    order: order.order_code,
    title: order.product.title,
    customer: { id: order.user_id, name: maskedFullName(order.full_name) },
    amount: toWire(dispute.amount_cents),
    paid: toWire(paid?.amount_cents ?? 0),
    currency: dispute.currency,
    reason: reasonOf(dispute),
    state: dispute.state,
    ...standingOf(dispute),
    told: dispute.created_at.toISOString(),
    due: dispute.due_at?.toISOString() ?? null,
    left_seconds: leftOf(dispute),
    said: saidOf(dispute, zone),
    evidence: presentEvidence(disputed),
    accept_why: whyNotAccepted(dispute),
    contest_why: whyNotContested(dispute),
    close_why: whyNotClosed(dispute),
    outcomes: disputeOutcomes.filter((outcome) => whyNotClosed(dispute, outcome) === null),
    today: realNow().toZonedDateTimeISO(zone).toPlainDate().toString(),
  }
}

const nameIn = (actor: string | null): string => actor?.replace(/^[a-z]+:/, '') ?? 'Someone'

function saidOf(dispute: Dispute, zone: string): string[] {
  const { answer, answered_by: who, evidence_reference: evidence, handed_in_at: at, outcome, note } = dispute
  const day = at
    ? Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone).toPlainDate().toString()
    : ''
  return [
    ...(answer === 'contested'
      ? [
          `${nameIn(who)} submitted evidence on the gateway’s site on ${day}, under the reference ${evidence}.`,
          'The gateway notifies us of the outcome automatically.',
        ]
      : []),
    ...(answer === 'accepted'
      ? [`${nameIn(who)} accepted the dispute: the bank keeps the money, so it can’t be refunded as well.`]
      : []),
    ...(outcome && answer !== 'accepted' ? [`${nameIn(dispute.closed_by)} closed the dispute as ${outcome}.`] : []),
    ...(note ? [`“${note}”`] : []),
  ]
}
