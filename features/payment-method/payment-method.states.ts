import { isFinal, type Transitions } from '#kit/contract/transitions.ts'

/** What the update of a card goes through. */
export const cardUpdateStates = [
  /** Committed before the call leaves. */
  'initiated',
  /** Sent, and no answer that says yes or no. */
  'unknown',
  /** The gateway keeps the card. */
  'stored',
  /** A definite no: nothing was kept. */
  'refused',
  /** Given up by us, because there was no yes or no in time. */
  'cancelled',
] as const
export type CardUpdateState = (typeof cardUpdateStates)[number]

export type CardUpdateEvent = 'no_answer' | 'stored' | 'refused' | 'cancelled'

/** Every move a card update can make. What is not here cannot happen. */
export const cardUpdateTransitions: Transitions<CardUpdateState, CardUpdateEvent> = {
  initiated: { no_answer: 'unknown', stored: 'stored', refused: 'refused', cancelled: 'cancelled' },
  unknown: { no_answer: 'unknown', stored: 'stored', refused: 'refused', cancelled: 'cancelled' },
  stored: {},
  refused: {},
  cancelled: {},
}

/** Nothing will move any more. */
export const isOver = (state: CardUpdateState): boolean => isFinal(cardUpdateTransitions, state)
