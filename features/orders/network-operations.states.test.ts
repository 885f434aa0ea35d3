import { expect, test } from 'vitest'
import { operationTransitions } from './network-operations.states.ts'

test('a network operation gets exactly one outcome: completed, failed or rejected', () =>
  expect(operationTransitions).toEqual({
    initiated: { completed: 'completed', failed: 'failed', rejected: 'rejected' },
    completed: {},
    failed: {},
    rejected: {},
  }))
