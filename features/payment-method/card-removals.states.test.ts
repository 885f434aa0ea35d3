import { expect, test } from 'vitest'
import { findTransition } from '#kit/contract/transitions.ts'
import { cardRemovalTransitions, isRemovalOver } from './card-removals.states.ts'

test('a card removal has exactly three final states: removed, refused and kept', () => {
  expect(isRemovalOver('initiated')).toBe(false)
  for (const event of ['removed', 'refused', 'kept'] as const) {
    expect(findTransition(cardRemovalTransitions, event)).toEqual({ from: ['initiated'], to: event })
    expect(isRemovalOver(event)).toBe(true)
  }
})
