import type { Transitions } from '#kit/contract/transitions.ts'

/** What a payment goes through whose cardholder, or their bank, disputes it. */
export const disputeStates = [
  /** The bank asks, or will take the money back unless it is contested in time. */
  'announced',
  /** It has been taken back; it may still be contested. */
  'charged_back',
  /** The provider has got it again, and the bank may go on. */
  'reversed',
  /** The bank goes on: pre-arbitration, or arbitration by the card scheme. */
  'prearbitration',
  /** It is gone, unless an arbitration gives it back. */
  'lost',
  /** It stays with the provider for good. */
  'won',
] as const
export type DisputeState = (typeof disputeStates)[number]

export type DisputeEvent = Exclude<DisputeState, 'announced'>

/** Every move a dispute can make. One that comes late, after what followed it, changes nothing. */
export const disputeTransitions: Transitions<DisputeState, DisputeEvent> = {
  announced: {
    charged_back: 'charged_back',
    reversed: 'reversed',
    prearbitration: 'prearbitration',
    lost: 'lost',
    won: 'won',
  },
  charged_back: { reversed: 'reversed', prearbitration: 'prearbitration', lost: 'lost', won: 'won' },
  // The bank may not take no for an answer.
  reversed: { prearbitration: 'prearbitration', lost: 'lost', won: 'won' },
  prearbitration: { lost: 'lost', won: 'won' },
  lost: { won: 'won' },
  won: {},
}

/** What a person says came of a dispute that the gateway does not finish; `nothing`: no money was taken, and none will be. */
export const disputeOutcomes = ['won', 'lost', 'nothing'] as const
export type DisputeOutcome = (typeof disputeOutcomes)[number]

/** What a person answers the bank: the money is left to it, or evidence was handed in against it. */
export type DisputeAnswer = 'accepted' | 'contested'

/** A person can still do something about it. */
export const isDisputeOpen = (state: DisputeState, outcome: DisputeOutcome | null = null): boolean =>
  outcome === null && ['announced', 'charged_back', 'prearbitration'].includes(state)

/** Its money is not to be given back as well. */
export const countsAsDisputed = (state: DisputeState, outcome: DisputeOutcome | null = null): boolean =>
  outcome === null ? state !== 'reversed' && state !== 'won' : outcome === 'lost'
