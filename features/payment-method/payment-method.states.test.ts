import { describe, expect, test } from 'vitest'
import { findTransition } from '#kit/contract/transitions.ts'
import {
  type CardUpdateEvent,
  cardUpdateStates,
  cardUpdateTransitions,
  isCardUpdateOver,
} from './payment-method.states.ts'

const events: CardUpdateEvent[] = ['no_answer', 'stored', 'refused', 'cancelled']

describe('states of a card update', () => {
  test('a card update has exactly three final states: stored, refused and cancelled', () => {
    expect(cardUpdateStates.filter(isCardUpdateOver)).toEqual(['stored', 'refused', 'cancelled'])
  })

  test('a card update accepts every event while its outcome is open, and no event after that', () => {
    for (const event of events)
      expect(findTransition(cardUpdateTransitions, event).from).toEqual(['initiated', 'unknown'])
  })

  test.each(events)('the event %s leads a card update to exactly one state', (event) =>
    expect(cardUpdateStates).toContain(findTransition(cardUpdateTransitions, event).to),
  )

  test('every state of a card update can be reached from its initial state', () => {
    const reached = new Set<string>(['initiated'])
    for (const state of cardUpdateStates)
      if (reached.has(state)) for (const next of Object.values(cardUpdateTransitions[state])) reached.add(next)
    expect([...reached].toSorted()).toEqual([...cardUpdateStates].toSorted())
  })
})
