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
] as const)('the number transfer sub-state %j maps to the step %j', (subState, step) =>
  expect(findPortStep(subState)).toBe(step),
)

test('a mapping can translate a network’s own number transfer sub-states into steps', () => {
  expect(findPortStep('S-3', { 'S-3': 'reply' })).toBe('reply')
  expect(findPortStep('draft', { 'S-3': 'reply' })).toBeNull()
})
