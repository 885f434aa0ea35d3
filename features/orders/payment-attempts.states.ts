import type { Transitions } from '#kit/contract/transitions.ts'

/** What a payment goes through at the gateway. */
export type AttemptState =
  /** Committed before the call leaves. */
  | 'initiated'
  /** Sent, and no answer that says yes or no. */
  | 'unknown'
  /** The money is reserved. */
  | 'authorised'
  | 'refused'
  /** The capture is committed before the call leaves. */
  | 'capturing'
  | 'captured'
  | 'cancelled'

type AttemptEvent =
  | 'no_answer'
  | 'authorised'
  | 'refused'
  /** Cancelled by reference: there was no yes or no in time. */
  | 'given_up'
  | 'capture_begun'
  | 'captured'
  /** The reserved money is let go of. */
  | 'cancelled'

export const attemptTransitions: Transitions<AttemptState, AttemptEvent> = {
  initiated: { no_answer: 'unknown', authorised: 'authorised', refused: 'refused', given_up: 'cancelled' },
  unknown: { no_answer: 'unknown', authorised: 'authorised', refused: 'refused', given_up: 'cancelled' },
  authorised: { capture_begun: 'capturing', cancelled: 'cancelled' },
  refused: {},
  capturing: { captured: 'captured', cancelled: 'cancelled' },
  captured: {},
  cancelled: {},
}

/** The gateway has not said yes or no yet: only then is the encrypted card still of use. */
export const isAttemptOpen = (state: AttemptState): boolean => state === 'initiated' || state === 'unknown'

/** Money is held, and not taken for certain: it can be cancelled. */
export const isReserved = (state: AttemptState): boolean => state === 'authorised' || state === 'capturing'
