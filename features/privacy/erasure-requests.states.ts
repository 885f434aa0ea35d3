import type { Transitions } from '#kit/contract/transitions.ts'

/** What an erasure that a customer has asked for goes through; once it is done, its row is gone with all else. */
export type ErasureRequestState =
  /** It is done when its day is over. */
  | 'waiting'
  /** The customer stays. */
  | 'called_off'

export type ErasureRequestEvent = 'put_off' | 'called_off'

/** Every move it can make. What is not here cannot happen. */
export const erasureRequestTransitions: Transitions<ErasureRequestState, ErasureRequestEvent> = {
  waiting: { put_off: 'waiting', called_off: 'called_off' },
  called_off: {},
}
