import type { Transitions } from '#kit/contract/transitions.ts'

export const refundStates = [
  'initiated',
  /** Sent to the gateway, without a definite response. */
  'unknown',
  /** The gateway has accepted the refund, and a credit note exists. */
  'received',
  'refused',
  /**
   * The refund failed after it was received, or the customer's bank returned it. The credit note stays, and we still
   * owe the money.
   */
  'returned',
] as const
export type RefundState = (typeof refundStates)[number]

export type RefundEvent = 'no_answer' | 'received' | 'refused' | 'returned' | 'asked_again'

export const refundTransitions: Transitions<RefundState, RefundEvent> = {
  initiated: { no_answer: 'unknown', received: 'received', refused: 'refused' },
  unknown: { no_answer: 'unknown', received: 'received', refused: 'refused' },
  received: { returned: 'returned' },
  // Only after a definite refusal or a return; the retry has its own idempotency key and reference.
  refused: { asked_again: 'initiated' },
  returned: { asked_again: 'initiated' },
}

export const isRefundOpen = (state: RefundState): boolean => state === 'initiated' || state === 'unknown'

type RefundProgress = { state: RefundState; psp_reference: string | null }

/** Whether a refund has a credit note and did not arrive. Exactly this amount is owed to the customer. */
export const isOwed = ({ state, psp_reference }: RefundProgress): boolean =>
  state === 'returned' || (state === 'refused' && psp_reference !== null)

/** Whether the amount counts as refunded. Only refunds refused from the start do not count. */
export const countsAsRefunded = ({ state, psp_reference }: RefundProgress): boolean =>
  state !== 'refused' || psp_reference !== null
