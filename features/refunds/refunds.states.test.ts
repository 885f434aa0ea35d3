import { expect, test } from 'vitest'
import { movesOf } from '#kit/contract/transitions.ts'
import { isRefundOpen, type RefundEvent, refundStates, refundTransitions } from './refunds.states.ts'

const events: RefundEvent[] = ['no_answer', 'received', 'refused', 'asked_again']

test('every state can be reached, and every event leads to one place', () => {
  expect(new Set(['initiated', ...events.map((event) => movesOf(refundTransitions, event).to)])).toEqual(
    new Set(refundStates),
  )
})

test('what was given back is given back: nothing follows', () => expect(refundTransitions.received).toEqual({}))

test('only a definite no lets it be asked for again, and only what is open can get an answer', () => {
  expect(movesOf(refundTransitions, 'asked_again').from).toEqual(['refused'])
  for (const event of ['no_answer', 'received', 'refused'] as const)
    expect(movesOf(refundTransitions, event).from).toEqual(refundStates.filter(isRefundOpen))
})
