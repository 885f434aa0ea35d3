import type { Transitions } from '#kit/contract/transitions.ts'

/** What giving a number back to the network goes through. */
export type ReleaseState =
  /** Committed before the call leaves, and until the network says how it went. */
  | 'initiated'
  | 'completed'
  /** The network would not take it: a person is to look. */
  | 'failed'

export type ReleaseEvent = 'completed' | 'failed'

export const releaseTransitions: Transitions<ReleaseState, ReleaseEvent> = {
  initiated: { completed: 'completed', failed: 'failed' },
  completed: {},
  failed: {},
}
