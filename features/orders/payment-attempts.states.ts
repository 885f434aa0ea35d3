import type { Transitions } from '#kit/contract/transitions.ts'

export type AttemptState =
  /** Committed before the request leaves. */
  | 'initiated'
  /** The request was sent, and the gateway has neither authorised nor refused it. */
  | 'unknown'
  | 'authorised'
  | 'refused'
  /** Committed before the capture request leaves. */
  | 'capturing'
  | 'captured'
  /** The money is reserved on a card type that we do not accept. Committed before the cancel request leaves. */
  | 'cancelling'
  | 'cancelled'

type AttemptEvent =
  | 'no_answer'
  | 'authorised'
  | 'refused'
  /** Cancelled by our own reference, because the gateway gave no answer in time. */
  | 'given_up'
  | 'capture_begun'
  | 'captured'
  | 'cancel_begun'
  | 'cancelled'

const openTransitions = {
  no_answer: 'unknown',
  authorised: 'authorised',
  refused: 'refused',
  cancel_begun: 'cancelling',
  given_up: 'cancelled',
} as const

export const attemptTransitions: Transitions<AttemptState, AttemptEvent> = {
  initiated: openTransitions,
  unknown: openTransitions,
  authorised: { capture_begun: 'capturing', cancelled: 'cancelled' },
  refused: {},
  capturing: { captured: 'captured', cancelled: 'cancelled' },
  captured: {},
  cancelling: { cancelled: 'cancelled' },
  cancelled: {},
}

/**
 * The gateway has neither authorised nor refused the payment. Only in these states is the encrypted card still needed.
 */
export const isAttemptOpen = (state: AttemptState): boolean => state === 'initiated' || state === 'unknown'

/** The money is reserved and not certain to be captured, so it can be cancelled. */
export const isReserved = (state: AttemptState): boolean =>
  state === 'authorised' || state === 'capturing' || state === 'cancelling'

export type SettledOutcome = 'paid' | 'not_paid'

export type UnsettledCall = {
  of: 'payment' | 'capture' | 'refund'
  reference: string
  cents: number
  since: Temporal.Instant
  /** Outcomes that staff can record. A payment with a cancel in flight can only become `not_paid`. */
  may: SettledOutcome[]
}
