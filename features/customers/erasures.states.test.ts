import { expect, test } from 'vitest'
import { isFinal, movesOf } from '#kit/contract/transitions.ts'
import { erasureTransitions } from './erasures.states.ts'

test('an erasure completes once and can never be reopened, because the data it needs is gone', () => {
  expect(movesOf(erasureTransitions, 'completed')).toEqual({ from: ['initiated'], to: 'completed' })
  expect(isFinal(erasureTransitions, 'completed')).toBe(true)
})
