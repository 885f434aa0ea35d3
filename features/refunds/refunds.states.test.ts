import { expect, test } from 'vitest'
import { findTransition } from '#kit/contract/transitions.ts'
import {
  countsAsRefunded,
  isRefundOwed,
  isRefundOpen,
  type RefundEvent,
  refundStates,
  refundTransitions,
} from './refunds.states.ts'

const events: RefundEvent[] = ['no_answer', 'received', 'refused', 'returned', 'asked_again']

test('every refund state can be reached, and every event leads to a single state', () => {
  expect(new Set(['initiated', ...events.map((event) => findTransition(refundTransitions, event).to)])).toEqual(
    new Set(refundStates),
  )
})

test('a refund in the state “received” can only change to “returned”', () =>
  expect(Object.keys(refundTransitions.received)).toEqual(['returned']))

test('a rejected or returned refund can be requested again, and only an open refund accepts the gateway’s answer', () => {
  expect(findTransition(refundTransitions, 'asked_again').from).toEqual(['refused', 'returned'])
  for (const event of ['no_answer', 'received', 'refused'] as const)
    expect(findTransition(refundTransitions, event).from).toEqual(refundStates.filter(isRefundOpen))
})

test('a refund counts as made unless it was rejected outright, and is owed to the customer if it fails after being accepted', () => {
  const all = refundStates.flatMap((state) => [null, 'psp'].map((psp_reference) => ({ state, psp_reference })))
  expect(all.filter((refund) => !countsAsRefunded(refund))).toEqual([{ state: 'refused', psp_reference: null }])
  expect(all.filter(({ psp_reference }) => psp_reference).filter(isRefundOwed)).toEqual([
    { state: 'refused', psp_reference: 'psp' },
    { state: 'returned', psp_reference: 'psp' },
  ])
})

test('a refund that was rejected outright is not owed to the customer, who has no credit note for it', () =>
  expect(isRefundOwed({ state: 'refused', psp_reference: null })).toBe(false))
