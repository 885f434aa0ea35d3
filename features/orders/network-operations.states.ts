import type { Transitions } from '#kit/contract/transitions.ts'

/** What something goes through that we ask of the network. */
export type OperationState =
  /** Committed before the call leaves, and until the network says how it went. */
  | 'initiated'
  | 'completed'
  /** Begun, and not done. */
  | 'failed'
  /** Not even begun. */
  | 'rejected'

export type OperationEvent = Exclude<OperationState, 'initiated'>

export const operationTransitions: Transitions<OperationState, OperationEvent> = {
  initiated: { completed: 'completed', failed: 'failed', rejected: 'rejected' },
  completed: {},
  failed: {},
  rejected: {},
}
