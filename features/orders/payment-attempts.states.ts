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
  /** The money is reserved on a card that is not taken; the cancel is committed before the call leaves. */
  | 'cancelling'
  | 'cancelled'

type AttemptEvent =
  | 'no_answer'
  | 'authorised'
  | 'refused'
  /** Cancelled by reference: there was no yes or no in time. */
  | 'given_up'
  | 'capture_begun'
  | 'captured'
  | 'cancel_begun'
  /** The reserved money is let go of. */
  | 'cancelled'

const open = {
  no_answer: 'unknown',
  authorised: 'authorised',
  refused: 'refused',
  cancel_begun: 'cancelling',
  given_up: 'cancelled',
} as const

/** Every move a payment can make. What is not here cannot happen. */
export const attemptTransitions: Transitions<AttemptState, AttemptEvent> = {
  initiated: open,
  unknown: open,
  authorised: { capture_begun: 'capturing', cancelled: 'cancelled' },
  refused: {},
  capturing: { captured: 'captured', cancelled: 'cancelled' },
  captured: {},
  cancelling: { cancelled: 'cancelled' },
  cancelled: {},
}

/** The gateway has not said yes or no yet: only then is the encrypted card still of use. */
export const isAttemptOpen = (state: AttemptState): boolean => state === 'initiated' || state === 'unknown'

/** Money is held, and not taken for certain: it can be cancelled. */
export const isReserved = (state: AttemptState): boolean =>
  state === 'authorised' || state === 'capturing' || state === 'cancelling'

/** What a person has seen at the gateway's own site. */
export type SettledAs = 'paid' | 'not_paid'

/** A call of which the gateway has not said what it came to. */
export type Unsettled = {
  of: 'payment' | 'capture' | 'refund'
  reference: string
  cents: number
  since: Temporal.Instant
  /** Of a payment whose cancel is on its way only one answer is left. */
  may: SettledAs[]
}
