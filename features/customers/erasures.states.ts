import type { TransitionTable } from '#kit/contract/transitions.ts'

export type ErasureState =
  /** All services have ended and all data has been erased, except identifiers that the gateway and the network still need. */
  | 'initiated'
  /** Only the customer's invoices and audit trail are left. */
  | 'completed'

export type ErasureEvent = 'completed'

export const erasureTransitions: TransitionTable<ErasureState, ErasureEvent> = {
  initiated: { completed: 'completed' },
  completed: {},
}
