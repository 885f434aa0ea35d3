import type { Transitions } from '#kit/contract/transitions.ts'

/** What a payment goes through whose cardholder, or their bank, disputes it. */
export const disputeStates = [
  /** The bank will take the money back, unless it is contested in time. */
  'announced',
  /** It has been taken back; it may still be contested. */
  'charged_back',
  /** The provider has got it again. */
  'reversed',
  /** It is gone for good. */
  'lost',
] as const
export type DisputeState = (typeof disputeStates)[number]

export type DisputeEvent = 'charged_back' | 'reversed' | 'lost'

/** Every move a dispute can make. One that comes late, after what followed it, changes nothing. */
export const disputeTransitions: Transitions<DisputeState, DisputeEvent> = {
  announced: { charged_back: 'charged_back', reversed: 'reversed', lost: 'lost' },
  charged_back: { reversed: 'reversed', lost: 'lost' },
  // The bank may not take no for an answer.
  reversed: { lost: 'lost' },
  lost: {},
}

/** A person can still do something about it. */
export const isDisputeOpen = (state: DisputeState): boolean => state === 'announced' || state === 'charged_back'

/** Its money is not to be given back as well. */
export const countsAsDisputed = (state: DisputeState): boolean => state !== 'reversed'
