import type { TransitionTable } from '#kit/contract/transitions.ts'

export const refundStates = [
  'initiated',
  /** The refund was sent to the gateway, which has not given a definite response. */
  'unknown',
  /** The gateway has accepted the refund, and a credit note exists. */
  'received',
  'refused',
  /**
   * The refund failed after the gateway had accepted it, or the customer's bank returned it. The credit note stays, and
   * we still owe the money.
   */
  'returned',
] as const
export type RefundState = (typeof refundStates)[number]

export type RefundEvent = 'no_answer' | 'received' | 'refused' | 'returned' | 'asked_again'

export const refundTransitions: TransitionTable<RefundState, RefundEvent> = {
  initiated: { no_answer: 'unknown', received: 'received', refused: 'refused' },
  unknown: { no_answer: 'unknown', received: 'received', refused: 'refused' },
  received: { returned: 'returned' },
  /*
   * A refund may be retried only after it was definitely refused, or returned. The retry gets a new idempotency key and
   * reference.
   */
  refused: { asked_again: 'initiated' },
  returned: { asked_again: 'initiated' },
}

export const isRefundOpen = (state: RefundState): boolean => state === 'initiated' || state === 'unknown'

type RefundProgress = { state: RefundState; psp_reference: string | null }

/** Whether a refund has a credit note but did not reach the customer, who is owed exactly its amount. */
export const isRefundOwed = ({ state, psp_reference }: RefundProgress): boolean =>
  state === 'returned' || (state === 'refused' && psp_reference !== null)

/**
 * Whether the refund's amount counts as refunded. Every refund counts, except one that the gateway refused outright.
 */
export const countsAsRefunded = ({ state, psp_reference }: RefundProgress): boolean =>
  state !== 'refused' || psp_reference !== null
