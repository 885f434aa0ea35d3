import { expect, test } from 'vitest'
import { operationTransitions } from './network-operations.states.ts'

test('what is asked of the network ends once: done, not done, or not even begun', () =>
  expect(operationTransitions).toEqual({
    initiated: { completed: 'completed', failed: 'failed', rejected: 'rejected' },
    completed: {},
    failed: {},
    rejected: {},
  }))
