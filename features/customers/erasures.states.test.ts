import { expect, test } from 'vitest'
import { isFinal, transitionOf } from '#kit/contract/transitions.ts'
import { erasureTransitions } from './erasures.states.ts'

test('the erasure of a customer completes once and can never be reopened, because the data that it needs is gone', () => {
  expect(transitionOf(erasureTransitions, 'completed')).toEqual({ from: ['initiated'], to: 'completed' })
  expect(isFinal(erasureTransitions, 'completed')).toBe(true)
})
