import { expect, test } from 'vitest'
import { findPortStep } from './number-port-steps.ts'

test.each([
  ['draft', 'sent'],
  ['requested', 'sent'],
  ['informationRequired', 'information'],
  ['awaitingCustomerReply', 'reply'],
  ['confirmed', 'moving'],
  ['inProgress', 'moving'],
  ['completed', 'moved'],
  ['declined', null],
  ['toString', null],
  [null, null],
] as const)('the sub-state %j of a number transfer maps to the step %j', (subState, step) =>
  expect(findPortStep(subState)).toBe(step),
)

test('a network can map its own sub-states of a number transfer to steps', () => {
  expect(findPortStep('S-3', { 'S-3': 'reply' })).toBe('reply')
  expect(findPortStep('draft', { 'S-3': 'reply' })).toBeNull()
})
