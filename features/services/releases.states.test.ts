import { expect, test } from 'vitest'
import { releaseTransitions } from './releases.states.ts'

test('a number release either completes or fails, and both states are final', () =>
  expect(releaseTransitions).toEqual({
    initiated: { completed: 'completed', failed: 'failed' },
    completed: {},
    failed: {},
  }))
