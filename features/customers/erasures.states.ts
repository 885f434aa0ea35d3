import type { Transitions } from '#kit/contract/transitions.ts'

export type ErasureState =
  /** Everything is ended and erased, except the data that the gateway and the network still need. */
  | 'initiated'
  /** Only invoices and the audit trail of the person are left. */
  | 'completed'

export type ErasureEvent = 'completed'

export const erasureTransitions: Transitions<ErasureState, ErasureEvent> = {
  initiated: { completed: 'completed' },
  completed: {},
}
