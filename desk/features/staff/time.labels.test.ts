import { expect, test } from 'vitest'
import { formatDateAndTime, formatDateAndTimeWithSeconds } from './web/date-time.labels.ts'
import { durationLabel, formatDayAndTime, formatTimeWithSeconds } from './web/time.labels.ts'

test.each([
  [0, '0 s'],
  [3.94, '3.9 s'],
  [89, '89 s'],
  [90, '2 min'],
  [3_600, '60 min'],
  [7_200, '2 h'],
  [86_400, '24 h'],
  [259_200, '3 days'],
])('formats a duration of %s seconds as %s', (seconds, words) => expect(durationLabel(seconds)).toBe(words))

test('times are formatted in the market’s time zone', () => {
  expect(formatTimeWithSeconds('2026-11-24T03:03:08.999Z', 'Pacific/Auckland')).toBe('16:03:08')
  expect(formatDayAndTime('2026-11-24T11:03:08Z', 'Pacific/Auckland')).toBe('25 Nov, 00:03')
  expect(formatDateAndTime('2026-12-31T11:03:08Z', 'Pacific/Auckland')).toBe('1 Jan 2027, 00:03')
  expect(formatDateAndTimeWithSeconds('2026-11-24T03:03:08Z', 'Pacific/Auckland')).toBe('24 Nov 2026, 16:03:08')
})
