import type { Actor } from '#kit/server/actor.ts'
import { type DisputeOutcome, isDisputeOpen } from '../disputes.states.ts'
import { applyDisputeAction } from './dispute-action.ts'
import type { DisputeDeps } from './disputes.deps.ts'
import { closeDispute, type Dispute } from './disputes.store.ts'

type ClosingDecision = { reference: string; outcome: DisputeOutcome; note: string | null; actor: Actor }

/**
 * Closes a dispute that the gateway will not report on again, for example an expired request for information. A closed dispute no longer
 * prevents an erasure. It no longer prevents refunds either, unless it was closed as lost. If the gateway then reports a later state, or
 * repeats the current open state, the entered outcome is removed. Late reports change nothing; unclear reports create a task.
 */
export const closeDisputeByOperator = (
  deps: DisputeDeps,
  { outcome, note, ...who }: ClosingDecision,
): Promise<Dispute | { why: string }> =>
  applyDisputeAction(deps, who, {
    event: 'dispute_closed',
    name: 'close dispute',
    to: outcome,
    note,
    rejectionReasonFor: (dispute) => findReasonNotToClose(dispute, outcome),
    change: (trx, dispute, by) => closeDispute(trx, dispute, { outcome, by, note }),
  })

export function findReasonNotToClose(
  { state, outcome: existingOutcome }: Dispute,
  outcome?: DisputeOutcome,
): string | null {
  if (existingOutcome) return `This dispute was already closed as ${existingOutcome}.`
  if (!isDisputeOpen(state)) return `This dispute is over: it is ${state.replace('_', ' ')}.`
  return outcome === 'nothing' && state !== 'announced'
    ? 'The bank took this money back, so the dispute can only be closed as won or lost.'
    : null
}
