import { expect, test } from 'vitest'
import { countLogLines } from './log-lines.ts'

test('log lines are counted by level and message', () => {
  const away = '{"level":50,"msg":"a request failed","err":{"message":"it broke"}}'
  expect(countLogLines([away, away, '{"level":40,"msg":"the card gateway does not answer"}', 'Killed'])).toEqual([
    { level: 'error', message: 'a request failed: it broke', count: 2 },
    { level: 'warn', message: 'the card gateway does not answer', count: 1 },
    { level: 'other', message: 'Killed', count: 1 },
  ])
})
