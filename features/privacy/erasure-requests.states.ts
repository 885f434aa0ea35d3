import type { TransitionTable } from '#kit/contract/transitions.ts'

/**
 * The states of a customer's erasure request. A completed erasure deletes the request along with the customer's data.
 */
export type ErasureRequestState =
  | 'waiting'
  /** The erasure was cancelled, so the customer's data stays. */
  | 'called_off'

export type ErasureRequestEvent = 'put_off' | 'called_off'

export const erasureRequestTransitions: TransitionTable<ErasureRequestState, ErasureRequestEvent> = {
  waiting: { put_off: 'waiting', called_off: 'called_off' },
  called_off: {},
}
