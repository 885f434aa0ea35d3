import type { Transitions } from '#kit/contract/transitions.ts'

export type OperationState =
  /** Committed before the request leaves, and kept until the network reports the outcome. */
  | 'initiated'
  | 'completed'
  /** The network started the operation but could not complete it. */
  | 'failed'
  | 'rejected'

export type OperationEvent = Exclude<OperationState, 'initiated'>

export const operationTransitions: Transitions<OperationState, OperationEvent> = {
  initiated: { completed: 'completed', failed: 'failed', rejected: 'rejected' },
  completed: {},
  failed: {},
  rejected: {},
}
