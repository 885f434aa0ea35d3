import { describe, expect, test } from 'vitest'
import { isFinalState, findTransition } from '#kit/contract/transitions.ts'
import {
  type AttemptState,
  paymentAttemptTransitions,
  isAttemptOpen,
  isMoneyReserved,
} from './payment-attempts.states.ts'

const states = Object.keys(paymentAttemptTransitions) as AttemptState[]

describe('transitions between the states of a payment attempt', () => {
  test('an undecided payment attempt can still get any outcome', () => {
    for (const event of ['no_answer', 'authorised', 'refused', 'cancel_begun', 'given_up'] as const)
      expect(findTransition(paymentAttemptTransitions, event).from).toEqual(states.filter(isAttemptOpen))
  })

  test('a payment attempt can be abandoned only while undecided, and cancelled only while its money is reserved', () => {
    expect(findTransition(paymentAttemptTransitions, 'given_up')).toEqual({
      from: ['initiated', 'unknown'],
      to: 'cancelled',
    })
    expect(findTransition(paymentAttemptTransitions, 'cancelled')).toEqual({
      from: states.filter(isMoneyReserved),
      to: 'cancelled',
    })
  })

  test('a payment attempt can be captured only after the start of the capture has been recorded', () => {
    expect(findTransition(paymentAttemptTransitions, 'capture_begun')).toEqual({
      from: ['authorised'],
      to: 'capturing',
    })
    expect(findTransition(paymentAttemptTransitions, 'captured')).toEqual({ from: ['capturing'], to: 'captured' })
  })

  test('a payment attempt that has been refused, captured or cancelled never changes again', () => {
    expect(states.filter((state) => isFinalState(paymentAttemptTransitions, state))).toEqual([
      'refused',
      'captured',
      'cancelled',
    ])
  })
})
