import type { Transitions } from '#kit/contract/transitions.ts'

/** What the erasure of a customer goes through. */
export type ErasureState =
  /** All is ended and forgotten, but for what gateway and network still have to be told. */
  | 'initiated'
  /** Nothing of the person is left but invoices and the audit trail. */
  | 'completed'

export type ErasureEvent = 'completed'

/** Every move an erasure can make. What is not here cannot happen. */
export const erasureTransitions: Transitions<ErasureState, ErasureEvent> = {
  initiated: { completed: 'completed' },
  completed: {},
}
