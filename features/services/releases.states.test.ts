import { expect, test } from 'vitest'
import { releaseTransitions } from './releases.states.ts'

test('a number is given back once, or a person has to look', () =>
  expect(releaseTransitions).toEqual({
    initiated: { completed: 'completed', failed: 'failed' },
    completed: {},
    failed: {},
  }))
