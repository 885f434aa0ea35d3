import { isFinal, type Transitions } from '#kit/contract/transitions.ts'

/** What the removal of a card at the gateway goes through. */
export type CardRemovalState =
  /** Committed before the call leaves, and until the gateway has answered. */
  | 'initiated'
  /** The gateway keeps the card no longer. */
  | 'removed'
  /** A definite no. */
  | 'refused'
  /** Its owner has saved the same card again meanwhile. */
  | 'kept'

export type CardRemovalEvent = Exclude<CardRemovalState, 'initiated'>

/** Every move a removal can make. What is not here cannot happen. */
export const cardRemovalTransitions: Transitions<CardRemovalState, CardRemovalEvent> = {
  initiated: { removed: 'removed', refused: 'refused', kept: 'kept' },
  removed: {},
  refused: {},
  kept: {},
}

/** Nothing will move any more. */
export const isRemovalOver = (state: CardRemovalState): boolean => isFinal(cardRemovalTransitions, state)
