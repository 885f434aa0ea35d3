import { expect, test } from 'vitest'
import { findMinuteToAnnounce } from './ReplyTimer.tsx'
import { minutesUntil, msUntilNextMinute } from './use-minutes-left.ts'

const end = '2026-11-23T00:40:00.000Z'
const at = (time: string): number => Date.parse(`2026-11-${time}Z`)

test.each([
  ['22T22:40:00.000', 120],
  ['22T23:16:00.000', 84],
  ['22T23:15:59.999', 85],
  ['23T00:39:00.001', 1],
  ['23T00:39:59.999', 1],
  ['23T00:40:00.000', 0],
  ['23T09:00:00.000', 0],
])('at %s, the countdown to 00:40 shows %i minutes left', (now, minutes) =>
  expect(minutesUntil(end, at(now))).toBe(minutes),
)

test.each([
  ['22T23:16:00.000', 60_000],
  ['22T23:16:00.001', 59_999],
  ['23T00:39:59.999', 1],
  ['23T00:40:00.000', null],
  ['23T09:00:00.000', null],
])('at %s, the countdown to 00:40 changes in %j milliseconds', (now, wait) =>
  expect(msUntilNextMinute(end, at(now))).toBe(wait),
)

test('the countdown announces 30 minutes, 10 minutes and the end once each, even if it skips some minutes', () => {
  const told: number[] = []
  let before = 84
  for (const left of [84, 31, 30, 29, 28, 12, 8, 7, 0]) {
    const mark = findMinuteToAnnounce(before, left)
    if (mark !== null) told.push(left)
    before = left
  }
  expect(told).toEqual([30, 8, 0])
  expect(findMinuteToAnnounce(25, 25)).toBeNull()
})
