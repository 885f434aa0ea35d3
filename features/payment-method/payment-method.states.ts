import { isFinalState, type TransitionTable } from '#kit/contract/transitions.ts'

export const cardUpdateStates = [
  'initiated',
  /** The card was sent to the gateway, which has not given a definite response. */
  'unknown',
  'stored',
  'refused',
  /** The update was abandoned because no definite response arrived in time. */
  'cancelled',
] as const
export type CardUpdateState = (typeof cardUpdateStates)[number]

export type CardUpdateEvent = 'no_answer' | 'stored' | 'refused' | 'cancelled'

export const cardUpdateTransitions: TransitionTable<CardUpdateState, CardUpdateEvent> = {
  initiated: { no_answer: 'unknown', stored: 'stored', refused: 'refused', cancelled: 'cancelled' },
  unknown: { no_answer: 'unknown', stored: 'stored', refused: 'refused', cancelled: 'cancelled' },
  stored: {},
  refused: {},
  cancelled: {},
}

export const isCardUpdateOver = (state: CardUpdateState): boolean => isFinalState(cardUpdateTransitions, state)
