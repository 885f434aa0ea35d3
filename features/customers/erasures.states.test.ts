import { expect, test } from 'vitest'
import { isFinalState, findTransition } from '#kit/contract/transitions.ts'
import { erasureTransitions } from './erasures.states.ts'

test('an erasure completes once and can never be reopened, because the customer’s data no longer exists', () => {
  expect(findTransition(erasureTransitions, 'completed')).toEqual({ from: ['initiated'], to: 'completed' })
  expect(isFinalState(erasureTransitions, 'completed')).toBe(true)
})
