import { expect, test } from 'vitest'
import { isFinalState, findTransition, getNextState } from '#kit/contract/transitions.ts'
import { erasureRequestTransitions } from './erasure-requests.states.ts'

test('a cancelled erasure request never becomes due again, so the customer’s data stays', () => {
  expect(isFinalState(erasureRequestTransitions, 'called_off')).toBe(true)
  expect(getNextState(erasureRequestTransitions, 'called_off', 'put_off')).toBeNull()
})

test('a customer can cancel an erasure request only while it is waiting', () =>
  expect(findTransition(erasureRequestTransitions, 'called_off')).toEqual({ from: ['waiting'], to: 'called_off' }))

test('postponing an erasure request leaves it in the waiting state', () =>
  expect(findTransition(erasureRequestTransitions, 'put_off')).toEqual({ from: ['waiting'], to: 'waiting' }))
