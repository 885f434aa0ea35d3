import type { Transitions } from '#kit/contract/transitions.ts'

export const disputeStates = [
  /** The bank requests information, or will take the money back unless the provider contests the dispute in time. */
  'announced',
  /** The bank has taken the money back, and the provider may still contest that. */
  'charged_back',
  /** The provider has received the money again, and the bank may continue the dispute. */
  'reversed',
  /** The bank continues the dispute: pre-arbitration, or arbitration by the card scheme. */
  'prearbitration',
  /** The money is gone, unless an arbitration returns it. */
  'lost',
  'won',
] as const
export type DisputeState = (typeof disputeStates)[number]

export type DisputeEvent = Exclude<DisputeState, 'announced'>

/** Every permitted transition. An event that arrives after a later event changes nothing. */
export const disputeTransitions: Transitions<DisputeState, DisputeEvent> = {
  announced: {
    charged_back: 'charged_back',
    reversed: 'reversed',
    prearbitration: 'prearbitration',
    lost: 'lost',
    won: 'won',
  },
  charged_back: { reversed: 'reversed', prearbitration: 'prearbitration', lost: 'lost', won: 'won' },
  // The bank may not accept the reversal.
  reversed: { prearbitration: 'prearbitration', lost: 'lost', won: 'won' },
  prearbitration: { lost: 'lost', won: 'won' },
  lost: { won: 'won' },
  won: {},
}

/**
 * The outcome that staff enter for a dispute that the gateway does not finish. `nothing`: no money was or will be
 * taken.
 */
export const disputeOutcomes = ['won', 'lost', 'nothing'] as const
export type DisputeOutcome = (typeof disputeOutcomes)[number]

/** The provider's answer to the bank: the bank keeps the money, or evidence was handed in. */
export type DisputeAnswer = 'accepted' | 'contested'

export const isDisputeOpen = (state: DisputeState, outcome: DisputeOutcome | null = null): boolean =>
  outcome === null && ['announced', 'charged_back', 'prearbitration'].includes(state)

/** The disputed money must not be refunded as well. */
export const countsAsDisputed = (state: DisputeState, outcome: DisputeOutcome | null = null): boolean =>
  outcome === null ? state !== 'reversed' && state !== 'won' : outcome === 'lost'
