import { expect, test } from 'vitest'
import { findTransition } from '#kit/contract/transitions.ts'
import {
  countsAsDisputed,
  disputeOutcomes,
  disputeStates,
  disputeTransitions,
  isDisputeOpen,
} from './disputes.states.ts'

test('each dispute event leads to the state with the same name', () => {
  for (const event of ['charged_back', 'reversed', 'prearbitration', 'lost', 'won'] as const)
    expect(findTransition(disputeTransitions, event).to).toBe(event)
  expect(disputeStates).toEqual(['announced', 'charged_back', 'reversed', 'prearbitration', 'lost', 'won'])
})

test('dispute transitions only ever lead to a later state, so that late webhooks change nothing', () => {
  const order = Object.fromEntries(disputeStates.map((state, index) => [state, index]))
  for (const from of disputeStates)
    for (const to of Object.values(disputeTransitions[from])) expect(order[to]).toBeGreaterThan(order[from] ?? 0)
})

test('a dispute is open until it is reversed, won or lost, and its amount counts as disputed unless it is reversed or won', () => {
  expect(disputeStates.filter((state) => isDisputeOpen(state))).toEqual(['announced', 'charged_back', 'prearbitration'])
  expect(disputeStates.filter((state) => !countsAsDisputed(state))).toEqual(['reversed', 'won'])
})

test('a dispute that staff closed is not open, and its amount counts as disputed only if the dispute was closed as lost', () => {
  for (const state of disputeStates)
    for (const outcome of disputeOutcomes) {
      expect(isDisputeOpen(state, outcome)).toBe(false)
      expect(countsAsDisputed(state, outcome)).toBe(outcome === 'lost')
    }
})

test('a reversed dispute can still be lost, because the bank may take it to arbitration', () => {
  expect(findTransition(disputeTransitions, 'prearbitration').from).toEqual(['announced', 'charged_back', 'reversed'])
  expect(findTransition(disputeTransitions, 'lost').from).toEqual([
    'announced',
    'charged_back',
    'reversed',
    'prearbitration',
  ])
})

test('a dispute can be reversed only before the bank takes it to arbitration', () =>
  expect(findTransition(disputeTransitions, 'reversed').from).toEqual(['announced', 'charged_back']))

test('any dispute can still be won, even after it was lost, and a dispute that has been won never changes again', () => {
  expect(findTransition(disputeTransitions, 'won').from).toEqual(disputeStates.filter((state) => state !== 'won'))
  expect(disputeTransitions.won).toEqual({})
})
