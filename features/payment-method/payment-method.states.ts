/** What the update of a card goes through. */
export const cardUpdateStates = [
  /** Committed, and on its way to the gateway. */
  'sent',
  /** Sent, and no answer that says yes or no. */
  'unknown',
  /** The gateway keeps the card. */
  'stored',
  /** A definite no: nothing was kept. */
  'refused',
  /** Given up by us, because nobody said yes or no in time. */
  'cancelled',
] as const
export type CardUpdateState = (typeof cardUpdateStates)[number]

export type CardUpdateEvent = 'no_answer' | 'stored' | 'refused' | 'cancelled'

/** Every move a card update can make. What is not here cannot happen. */
export const cardUpdateTransitions: Record<CardUpdateState, Partial<Record<CardUpdateEvent, CardUpdateState>>> = {
  sent: { no_answer: 'unknown', stored: 'stored', refused: 'refused', cancelled: 'cancelled' },
  unknown: { no_answer: 'unknown', stored: 'stored', refused: 'refused', cancelled: 'cancelled' },
  stored: {},
  refused: {},
  cancelled: {},
}

/** Nothing will move any more. */
export const isOver = (state: CardUpdateState): boolean => Object.keys(cardUpdateTransitions[state]).length === 0

/** Where an event leads, and from which states: what a compare-and-set needs. */
export function movesOf(event: CardUpdateEvent): { from: CardUpdateState[]; to: CardUpdateState } {
  const from = cardUpdateStates.filter((state) => cardUpdateTransitions[state][event])
  const [to, another] = new Set(from.map((state) => cardUpdateTransitions[state][event]))
  if (!to || another) throw new Error(`${event} leads to no state, or to several`)
  return { from, to }
}
