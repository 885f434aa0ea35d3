import { isDisputeOpen } from '#features/disputes/disputes.states.ts'
import type { Dispute } from '#features/disputes/server/disputes.store.ts'
import { realNow } from '#kit/server/clock.ts'
import type { Tone } from '#desk/features/customers/customer-history.contract.ts'

type StateLabel = { words: string; tone: Tone }

const stateLabels: Record<Dispute['state'], StateLabel> = {
  announced: { words: 'Inquiry by the bank', tone: 'warn' },
  charged_back: { words: 'Charged back', tone: 'bad' },
  reversed: { words: 'Reversed by the bank', tone: 'good' },
  prearbitration: { words: 'Pre-arbitration', tone: 'bad' },
  lost: { words: 'Lost', tone: 'bad' },
  won: { words: 'Won', tone: 'good' },
}

const outcomeLabels: Record<'won' | 'lost' | 'nothing', StateLabel> = {
  won: { words: 'Closed as won', tone: 'good' },
  lost: { words: 'Closed as lost', tone: 'bad' },
  nothing: { words: 'Closed, no money was taken', tone: 'plain' },
}

export function disputeStateLabel({ state, outcome, answer }: Dispute): StateLabel {
  if (answer === 'accepted') return { words: 'Accepted', tone: 'plain' }
  if (outcome) return outcomeLabels[outcome]
  if (answer === 'contested' && isDisputeOpen(state)) return { words: 'Contested', tone: 'plain' }
  return stateLabels[state]
}

export const secondsLeft = ({ state, outcome, due_at: due }: Dispute): number | null =>
  due && isDisputeOpen(state, outcome) ? Math.round((due.getTime() - realNow().epochMilliseconds) / 1_000) : null

export const reasonText = ({ reason }: Dispute): string => reason || 'The gateway gave no reason.'
