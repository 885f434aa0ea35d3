import { describe, expect, test } from 'vitest'
import { isFinal, movesOf } from '#kit/contract/transitions.ts'
import { type AttemptState, attemptTransitions, isAttemptOpen, isReserved } from './payment-attempts.states.ts'

const states = Object.keys(attemptTransitions) as AttemptState[]

describe('a payment', () => {
  test('gets its outcome while it is open, whether it was asked for once or often', () => {
    for (const event of ['no_answer', 'authorised', 'refused', 'cancel_begun', 'given_up'] as const)
      expect(movesOf(attemptTransitions, event).from).toEqual(states.filter(isAttemptOpen))
  })

  test('is given up only while its outcome is unknown, and cancelled only while money is reserved', () => {
    expect(movesOf(attemptTransitions, 'given_up')).toEqual({ from: ['initiated', 'unknown'], to: 'cancelled' })
    expect(movesOf(attemptTransitions, 'cancelled')).toEqual({ from: states.filter(isReserved), to: 'cancelled' })
  })

  test('is captured only after that was written down', () => {
    expect(movesOf(attemptTransitions, 'capture_begun')).toEqual({ from: ['authorised'], to: 'capturing' })
    expect(movesOf(attemptTransitions, 'captured')).toEqual({ from: ['capturing'], to: 'captured' })
  })

  test('that is refused, taken or cancelled stays so', () => {
    expect(states.filter((state) => isFinal(attemptTransitions, state))).toEqual(['refused', 'captured', 'cancelled'])
  })
})
