import type { Transitions } from '#kit/contract/transitions.ts'

/** What giving money of an order back goes through. */
export const refundStates = [
  /** Committed before the call leaves. */
  'initiated',
  /** Sent, and no answer that says yes or no. */
  'unknown',
  /** The gateway has taken charge of it: there is a credit note. */
  'received',
  /** A definite no: nothing was given back. */
  'refused',
  /** Received, and then it failed, or came back from the customer's bank: the note stays, and the customer is still owed the money. */
  'returned',
] as const
export type RefundState = (typeof refundStates)[number]

export type RefundEvent = 'no_answer' | 'received' | 'refused' | 'returned' | 'asked_again'

/** Every move a refund can make. What is not here cannot happen. */
export const refundTransitions: Transitions<RefundState, RefundEvent> = {
  initiated: { no_answer: 'unknown', received: 'received', refused: 'refused' },
  unknown: { no_answer: 'unknown', received: 'received', refused: 'refused' },
  received: { returned: 'returned' },
  // Only after a definite no, or when it came back: with a key and a reference of its own.
  refused: { asked_again: 'initiated' },
  returned: { asked_again: 'initiated' },
}

/** The gateway has not said yes or no yet. */
export const isRefundOpen = (state: RefundState): boolean => state === 'initiated' || state === 'unknown'

type Standing = { state: RefundState; psp_reference: string | null }

/** Has its credit note, and did not arrive: this amount is owed to the customer, neither more nor less. */
export const isOwed = ({ state, psp_reference }: Standing): boolean =>
  state === 'returned' || (state === 'refused' && psp_reference !== null)

/** Counts towards what has been given back: all but what was refused from the start. */
export const isGiven = ({ state, psp_reference }: Standing): boolean => state !== 'refused' || psp_reference !== null
