import type { Transitions } from '#kit/contract/transitions.ts'

/** What giving the money of an order back goes through. */
export const refundStates = [
  /** Committed before the call leaves. */
  'initiated',
  /** Sent, and no answer that says yes or no. */
  'unknown',
  /** The gateway has taken charge of it: there is a credit note. */
  'received',
  /** A definite no: nothing was given back. */
  'refused',
] as const
export type RefundState = (typeof refundStates)[number]

export type RefundEvent = 'no_answer' | 'received' | 'refused' | 'asked_again'

/** Every move a refund can make. What is not here cannot happen. */
export const refundTransitions: Transitions<RefundState, RefundEvent> = {
  initiated: { no_answer: 'unknown', received: 'received', refused: 'refused' },
  unknown: { no_answer: 'unknown', received: 'received', refused: 'refused' },
  received: {},
  // Only after a definite no, with a key and a reference of its own.
  refused: { asked_again: 'initiated' },
}

/** The gateway has not said yes or no yet. */
export const isRefundOpen = (state: RefundState): boolean => state === 'initiated' || state === 'unknown'
