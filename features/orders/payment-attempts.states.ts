import type { TransitionTable } from '#kit/contract/transitions.ts'

export type AttemptState =
  /** The attempt has been recorded. Its request may or may not have been sent yet. */
  | 'initiated'
  /** The request was sent, but the gateway has not yet authorised or refused the payment. */
  | 'unknown'
  | 'authorised'
  | 'refused'
  /** A capture is about to be requested. This state is committed before the request is sent. */
  | 'capturing'
  | 'captured'
  /**
   * The reserved money is about to be released, because we do not accept the card's type. This state is committed
   * before the request is sent.
   */
  | 'cancelling'
  | 'cancelled'

type AttemptEvent =
  | 'no_answer'
  | 'authorised'
  | 'refused'
  /** We cancelled the payment by our own reference, because the gateway did not respond in time. */
  | 'given_up'
  | 'capture_begun'
  | 'captured'
  | 'cancel_begun'
  | 'cancelled'

const openAttemptTransitions = {
  no_answer: 'unknown',
  authorised: 'authorised',
  refused: 'refused',
  cancel_begun: 'cancelling',
  given_up: 'cancelled',
} as const

export const paymentAttemptTransitions: TransitionTable<AttemptState, AttemptEvent> = {
  initiated: openAttemptTransitions,
  unknown: openAttemptTransitions,
  authorised: { capture_begun: 'capturing', cancelled: 'cancelled' },
  refused: {},
  capturing: { captured: 'captured', cancelled: 'cancelled' },
  captured: {},
  cancelling: { cancelled: 'cancelled' },
  cancelled: {},
}

/** Whether the gateway has yet to authorise or refuse the payment. Only an open attempt still needs the encrypted card. */
export const isAttemptOpen = (state: AttemptState): boolean => state === 'initiated' || state === 'unknown'

/** Whether money is reserved but its capture has not been confirmed, so that the payment can still be cancelled. */
export const isMoneyReserved = (state: AttemptState): boolean =>
  state === 'authorised' || state === 'capturing' || state === 'cancelling'

export type SettledOutcome = 'paid' | 'not_paid'

export type UnsettledRequest = {
  of: 'payment' | 'capture' | 'refund'
  reference: string
  cents: number
  since: Temporal.Instant
  /** Outcomes that staff can record for the payment. A payment with a cancel in flight can only become `not_paid`. */
  may: SettledOutcome[]
}
