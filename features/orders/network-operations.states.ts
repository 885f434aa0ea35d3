import type { Transitions } from '#kit/contract/transitions.ts'

export type OperationState =
  /** The operation was recorded before its request was sent, and has no outcome from the network yet. */
  | 'initiated'
  | 'completed'
  /** The network accepted the operation but could not complete it. */
  | 'failed'
  | 'rejected'

export type OperationEvent = Exclude<OperationState, 'initiated'>

export const operationTransitions: Transitions<OperationState, OperationEvent> = {
  initiated: { completed: 'completed', failed: 'failed', rejected: 'rejected' },
  completed: {},
  failed: {},
  rejected: {},
}
