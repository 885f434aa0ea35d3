import { expect, test } from 'vitest'
import { getRequestKind, writeRequestKinds, requestShares } from './timetable.ts'

test('every hundred consecutive requests in the benchmark’s timetable contain the specified number of each kind', () => {
  for (const from of [0, 1, 250]) {
    const calls = Array.from({ length: 100 }, (_, at) => getRequestKind(from + at))
    const counted = Object.fromEntries([...Map.groupBy(calls, (call) => call)].map(([call, all]) => [call, all.length]))
    expect(counted).toEqual(requestShares)
  }
})

test('one in ten requests on the benchmark’s simulated day changes data', () => {
  expect(writeRequestKinds.reduce((sum, call) => sum + requestShares[call], 0)).toBe(10)
})
