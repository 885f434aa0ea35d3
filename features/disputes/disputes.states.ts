import type { Transitions } from '#kit/contract/transitions.ts'

export const disputeStates = [
  /** The bank requests information, or announces that it will take the money back unless the provider contests the dispute in time. */
  'announced',
  /** The bank has taken the money back, and the provider can still contest the dispute. */
  'charged_back',
  /** The provider has got the money back, but the bank can still continue the dispute. */
  'reversed',
  /** The bank has continued the dispute, either in pre-arbitration or in arbitration by the card scheme. */
  'prearbitration',
  /** The provider has lost the money, unless an arbitration returns it. */
  'lost',
  'won',
] as const
export type DisputeState = (typeof disputeStates)[number]

export type DisputeEvent = Exclude<DisputeState, 'announced'>

/** The permitted transitions of a dispute. Events that arrive late have no transition, so they change nothing. */
export const disputeTransitions: Transitions<DisputeState, DisputeEvent> = {
  announced: {
    charged_back: 'charged_back',
    reversed: 'reversed',
    prearbitration: 'prearbitration',
    lost: 'lost',
    won: 'won',
  },
  charged_back: { reversed: 'reversed', prearbitration: 'prearbitration', lost: 'lost', won: 'won' },
  // If the bank does not accept the reversal, the dispute continues.
  reversed: { prearbitration: 'prearbitration', lost: 'lost', won: 'won' },
  prearbitration: { lost: 'lost', won: 'won' },
  lost: { won: 'won' },
  won: {},
}

/** The outcome that staff enter for a dispute that the gateway will not finish. `nothing` means that no money was taken or will be. */
export const disputeOutcomes = ['won', 'lost', 'nothing'] as const
export type DisputeOutcome = (typeof disputeOutcomes)[number]

/** The provider's answer to the bank: accept that the bank keeps the money, or contest the dispute with evidence. */
export type DisputeAnswer = 'accepted' | 'contested'

export const isDisputeOpen = (state: DisputeState, outcome: DisputeOutcome | null = null): boolean =>
  outcome === null && ['announced', 'charged_back', 'prearbitration'].includes(state)

/** Whether the disputed money is withheld or at risk, so that it must not be refunded as well. */
export const countsAsDisputed = (state: DisputeState, outcome: DisputeOutcome | null = null): boolean =>
  outcome === null ? state !== 'reversed' && state !== 'won' : outcome === 'lost'
