import { expect, test } from 'vitest'
import { callAt, writeCalls, callShares } from './timetable.ts'

test('every hundred consecutive requests in the benchmark’s timetable contain the specified number of each kind', () => {
  for (const from of [0, 1, 250]) {
    const calls = Array.from({ length: 100 }, (_, at) => callAt(from + at))
    const counted = Object.fromEntries([...Map.groupBy(calls, (call) => call)].map(([call, all]) => [call, all.length]))
    expect(counted).toEqual(callShares)
  }
})

test('one in ten requests on the benchmark’s simulated day changes data', () => {
  expect(writeCalls.reduce((sum, call) => sum + callShares[call], 0)).toBe(10)
})
