import type { TransitionTable } from '#kit/contract/transitions.ts'

export type ReleaseState =
  /**
   * The release is committed before the network is called, and stays in this state until the network reports the
   * result.
   */
  | 'initiated'
  | 'completed'
  /** The network refused to take the number back, so staff must investigate. */
  | 'failed'

export type ReleaseEvent = 'completed' | 'failed'

export const releaseTransitions: TransitionTable<ReleaseState, ReleaseEvent> = {
  initiated: { completed: 'completed', failed: 'failed' },
  completed: {},
  failed: {},
}
