import type { TransitionTable } from '#kit/contract/transitions.ts'

export type OperationState =
  /** The operation has been recorded and its request may have been sent. The network has not reported an outcome yet. */
  | 'initiated'
  | 'completed'
  /** The network accepted the operation but could not complete it. */
  | 'failed'
  | 'rejected'

export type OperationEvent = Exclude<OperationState, 'initiated'>

export const operationTransitions: TransitionTable<OperationState, OperationEvent> = {
  initiated: { completed: 'completed', failed: 'failed', rejected: 'rejected' },
  completed: {},
  failed: {},
  rejected: {},
}
