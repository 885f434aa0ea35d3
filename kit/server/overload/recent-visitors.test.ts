import { expect, test } from 'vitest'
import { createRecentVisitors } from './recent-visitors.ts'

test('remembers the most recently seen browsers, up to a maximum number', () => {
  const known = createRecentVisitors()
  known.note('ana', true)
  known.note('ben', true)
  for (let index = 0; index < 19_999; index++) {
    known.note('ana', true)
    known.note(`somebody ${index}`, true)
  }
  expect([known.has('ana'), known.has('ben'), known.has(undefined)]).toEqual([true, false, false])
  known.note('ana', false)
  expect(known.has('ana')).toBe(false)
})
