import { expect, test } from 'vitest'
import { isFinal, transitionOf } from '#kit/contract/transitions.ts'
import { erasureTransitions } from './erasures.states.ts'

test('an erasure completes once and can never be reopened, because the customer’s data no longer exists', () => {
  expect(transitionOf(erasureTransitions, 'completed')).toEqual({ from: ['initiated'], to: 'completed' })
  expect(isFinal(erasureTransitions, 'completed')).toBe(true)
})
