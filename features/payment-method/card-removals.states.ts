import { isFinalState, type TransitionTable } from '#kit/contract/transitions.ts'

export type CardRemovalState =
  | 'initiated'
  | 'removed'
  | 'refused'
  /** The owner saved the same card again in the meantime, so the card was not removed from the gateway. */
  | 'kept'

export type CardRemovalEvent = Exclude<CardRemovalState, 'initiated'>

export const cardRemovalTransitions: TransitionTable<CardRemovalState, CardRemovalEvent> = {
  initiated: { removed: 'removed', refused: 'refused', kept: 'kept' },
  removed: {},
  refused: {},
  kept: {},
}

export const isRemovalOver = (state: CardRemovalState): boolean => isFinalState(cardRemovalTransitions, state)
