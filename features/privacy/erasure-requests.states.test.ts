import { expect, test } from 'vitest'
import { isFinal, transitionOf, nextState } from '#kit/contract/transitions.ts'
import { erasureRequestTransitions } from './erasure-requests.states.ts'

test('a cancelled erasure request never becomes due again, so the customer’s data stays', () => {
  expect(isFinal(erasureRequestTransitions, 'called_off')).toBe(true)
  expect(nextState(erasureRequestTransitions, 'called_off', 'put_off')).toBeNull()
})

test('a customer can cancel an erasure request only while it is waiting', () =>
  expect(transitionOf(erasureRequestTransitions, 'called_off')).toEqual({ from: ['waiting'], to: 'called_off' }))

test('postponing an erasure request leaves it in the waiting state', () =>
  expect(transitionOf(erasureRequestTransitions, 'put_off')).toEqual({ from: ['waiting'], to: 'waiting' }))
