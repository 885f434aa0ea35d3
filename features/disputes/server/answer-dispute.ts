import type { Actor } from '#kit/server/actor.ts'
import { fromDate, realNow, toDate } from '#kit/server/clock.ts'
import { isDisputeOpen } from '../disputes.states.ts'
import { applyDisputeAction } from './dispute-action.ts'
import { reportContestedDispute } from './dispute-tasks.ts'
import type { DisputeDeps } from './disputes.deps.ts'
import { answerDispute, type Dispute } from './disputes.store.ts'

// `CardGateway` has no method for answering disputes, so staff answer on the gateway's site and record their answer here.

export function findReasonNotToAccept({ state, outcome, answer }: Dispute): string | null {
  if (answer === 'accepted') return 'This dispute was already accepted.'
  if (outcome) return `This dispute was already closed as ${outcome}.`
  if (!isDisputeOpen(state)) return `This dispute is over: it is ${state.replace('_', ' ')}.`
  return answer === 'contested'
    ? 'Evidence was already submitted. The bank will decide, and the gateway will report the outcome.'
    : null
}

/**
 * The reason why a dispute can no longer be contested; `null` if it still can. The bank sets the deadline, so compare it with real
 * time and not with the demo's clock.
 */
export function findReasonNotToContest(dispute: Dispute): string | null {
  const rejectionReason = findReasonNotToAccept(dispute)
  if (rejectionReason) return rejectionReason
  return dispute.due_at && Temporal.Instant.compare(fromDate(dispute.due_at), realNow()) <= 0
    ? 'The deadline for contesting this dispute has passed.'
    : null
}

type DisputeDecision = { reference: string; note: string; actor: Actor }

/**
 * Accepts a dispute. The money counts as lost, cannot be refunded as well, and nobody needs to act on the dispute any
 * more. The customer's service does not change. A later report that the bank took the money does not reopen the dispute.
 */
export const acceptDispute = (
  deps: DisputeDeps,
  { note, ...who }: DisputeDecision,
): Promise<Dispute | { why: string }> =>
  applyDisputeAction(deps, who, {
    event: 'dispute_accepted',
    name: 'accept dispute',
    to: 'lost',
    note: note || null,
    rejectionReasonFor: findReasonNotToAccept,
    change: (trx, dispute, by) => answerDispute(trx, dispute, { answer: 'accepted', by, note: note || null }),
  })

/**
 * `handedInAt` is midnight, in the market's zone, of the day on which staff submitted the evidence. `evidenceReference` identifies
 * that evidence.
 */
type ContestDecision = DisputeDecision & { evidenceReference: string; handedInAt: Temporal.Instant }

/**
 * Records that staff submitted evidence on the gateway's site. The dispute stays open and keeps its deadline until the
 * gateway reports the outcome.
 */
export const contestDispute = (
  deps: DisputeDeps,
  { note, evidenceReference, handedInAt, ...who }: ContestDecision,
): Promise<Dispute | { why: string }> =>
  applyDisputeAction(deps, who, {
    event: 'dispute_contested',
    name: 'contest dispute',
    to: 'contested',
    note: [`evidence ${evidenceReference}`, ...(note ? [note] : [])].join(': '),
    rejectionReasonFor: (dispute) => findReasonNotToContest(dispute) ?? validateEvidenceDate(handedInAt),
    change: (trx, dispute, by) =>
      answerDispute(trx, dispute, {
        answer: 'contested',
        by,
        note: note || null,
        evidenceReference,
        handedInAt: toDate(handedInAt),
      }),
    report: reportContestedDispute,
  })

/** Returns an error message if the day on which evidence was submitted is in the future. */
const validateEvidenceDate = (at: Temporal.Instant): string | null =>
  Temporal.Instant.compare(at, realNow()) > 0 ? 'Choose today or an earlier day.' : null
