import { expect, test } from 'vitest'
import { movesOf } from '#kit/contract/transitions.ts'
import { countsAsDisputed, disputeStates, disputeTransitions, isDisputeOpen } from './disputes.states.ts'

test('every state can be reached, and every event leads to the state of its name', () => {
  for (const event of ['charged_back', 'reversed', 'lost'] as const)
    expect(movesOf(disputeTransitions, event).to).toBe(event)
  expect(disputeStates).toEqual(['announced', 'charged_back', 'reversed', 'lost'])
})

test('what comes late changes nothing: no way leads back', () => {
  const order = Object.fromEntries(disputeStates.map((state, index) => [state, index]))
  for (const from of disputeStates)
    for (const to of Object.values(disputeTransitions[from])) expect(order[to]).toBeGreaterThan(order[from] ?? 0)
})

test('a person can contest it before it is reversed or lost, and only what was reversed may be given back', () => {
  expect(disputeStates.filter(isDisputeOpen)).toEqual(['announced', 'charged_back'])
  expect(disputeStates.filter((state) => !countsAsDisputed(state))).toEqual(['reversed'])
})
