import type { TransitionTable } from '#kit/contract/transitions.ts'

export const disputeStates = [
  /** The bank has asked for information, or will take the money back unless the provider contests the dispute in time. */
  'announced',
  /** The bank has taken the money back, and the provider can still contest the dispute. */
  'charged_back',
  /** The money has been returned to the provider, but the bank may still take the dispute further. */
  'reversed',
  /** The bank has taken the dispute to pre-arbitration, or to arbitration by the card scheme. */
  'prearbitration',
  /** The provider has lost the money, unless arbitration returns it. */
  'lost',
  'won',
] as const
export type DisputeState = (typeof disputeStates)[number]

export type DisputeEvent = Exclude<DisputeState, 'announced'>

/** Permitted dispute transitions. An event that arrives late matches no transition, so it changes nothing. */
export const disputeTransitions: TransitionTable<DisputeState, DisputeEvent> = {
  announced: {
    charged_back: 'charged_back',
    reversed: 'reversed',
    prearbitration: 'prearbitration',
    lost: 'lost',
    won: 'won',
  },
  charged_back: { reversed: 'reversed', prearbitration: 'prearbitration', lost: 'lost', won: 'won' },
  // If the bank rejects the reversal, the dispute goes on.
  reversed: { prearbitration: 'prearbitration', lost: 'lost', won: 'won' },
  prearbitration: { lost: 'lost', won: 'won' },
  lost: { won: 'won' },
  won: {},
}

/**
 * The outcome that staff enter when the gateway will not report one. `nothing` means that the bank has taken no money and will take none.
 */
export const disputeOutcomes = ['won', 'lost', 'nothing'] as const
export type DisputeOutcome = (typeof disputeOutcomes)[number]

/** The provider's answer to the bank: `accepted` lets the bank keep the money, `contested` disputes the claim with evidence. */
export type DisputeAnswer = 'accepted' | 'contested'

export const isDisputeOpen = (state: DisputeState, outcome: DisputeOutcome | null = null): boolean =>
  outcome === null && ['announced', 'charged_back', 'prearbitration'].includes(state)

/** Whether the bank has taken the disputed money or may still take it. Such money must not be refunded as well. */
export const countsAsDisputed = (state: DisputeState, outcome: DisputeOutcome | null = null): boolean =>
  outcome === null ? state !== 'reversed' && state !== 'won' : outcome === 'lost'
