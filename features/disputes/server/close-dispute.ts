import type { Actor } from '#kit/server/actor.ts'
import { type DisputeOutcome, isDisputeOpen } from '../disputes.states.ts'
import { actOnDispute } from './dispute-act.ts'
import type { DisputeDeps } from './disputes.deps.ts'
import { closeDispute, type Dispute } from './disputes.store.ts'

type Closing = { reference: string; outcome: DisputeOutcome; note: string | null; actor: Actor }

/**
 * Closes a dispute about which the gateway will not report anything more, for example an expired request for
 * information. The dispute then no longer blocks refunds or an erasure. If the gateway continues it, the dispute is
 * open again.
 */
export const closeByOperator = (
  deps: DisputeDeps,
  { outcome, note, ...who }: Closing,
): Promise<Dispute | { why: string }> =>
  actOnDispute(deps, who, {
    event: 'dispute_closed',
    name: 'close dispute',
    to: outcome,
    note,
    whyNot: (dispute) => whyNotClosed(dispute, outcome),
    change: (trx, dispute, by) => closeDispute(trx, dispute, { outcome, by, note }),
  })

export function whyNotClosed({ state, outcome: closed }: Dispute, outcome?: DisputeOutcome): string | null {
  if (closed) return `This dispute was already closed as ${closed}.`
  if (!isDisputeOpen(state)) return `This dispute is over: it is ${state.replace('_', ' ')}.`
  return outcome === 'nothing' && state !== 'announced'
    ? 'The bank took this money back, so the dispute can only be closed as won or lost.'
    : null
}
