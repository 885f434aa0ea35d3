import { expect, test } from 'vitest'
import { transitionOf } from '#kit/contract/transitions.ts'
import { cardRemovalTransitions, isRemovalOver } from './card-removals.states.ts'

test('a card removal stays open until it is removed, refused or kept, and then never changes', () => {
  expect(isRemovalOver('initiated')).toBe(false)
  for (const event of ['removed', 'refused', 'kept'] as const) {
    expect(transitionOf(cardRemovalTransitions, event)).toEqual({ from: ['initiated'], to: event })
    expect(isRemovalOver(event)).toBe(true)
  }
})
