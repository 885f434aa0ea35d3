/** What giving the money of an order back goes through. */
export const refundStates = [
  /** Committed, and on its way to the gateway. */
  'sent',
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
export const refundTransitions: Record<RefundState, Partial<Record<RefundEvent, RefundState>>> = {
  sent: { no_answer: 'unknown', received: 'received', refused: 'refused' },
  unknown: { no_answer: 'unknown', received: 'received', refused: 'refused' },
  received: {},
  // Only after a definite no, with a key and a reference of its own.
  refused: { asked_again: 'sent' },
}

/** The gateway has not said yes or no yet. */
export const isRefundOpen = (state: RefundState): boolean => state === 'sent' || state === 'unknown'

/** Where an event leads, and from which states: what a compare-and-set needs. */
export function movesOf(event: RefundEvent): { from: RefundState[]; to: RefundState } {
  const from = refundStates.filter((state) => refundTransitions[state][event])
  const [to, another] = new Set(from.map((state) => refundTransitions[state][event]))
  if (!to || another) throw new Error(`${event} leads to no state, or to several`)
  return { from, to }
}
