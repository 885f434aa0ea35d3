import type { Transitions } from '#kit/contract/transitions.ts'

export type ReleaseState =
  /** Committed before the network is called, and kept until the network reports the outcome. */
  | 'initiated'
  | 'completed'
  /** The network refused; staff must investigate. */
  | 'failed'

export type ReleaseEvent = 'completed' | 'failed'

export const releaseTransitions: Transitions<ReleaseState, ReleaseEvent> = {
  initiated: { completed: 'completed', failed: 'failed' },
  completed: {},
  failed: {},
}
