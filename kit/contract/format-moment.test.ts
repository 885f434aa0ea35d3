import { expect, test } from 'vitest'
import { formatDay, formatMoment, formatMomentWithoutZone, formatTime, formatTimeWithoutZone } from './format-moment.ts'

const zone = 'Pacific/Auckland'

test.each([
  ['2026-11-21T21:42:00Z', '2026-11-22T00:00:00Z', 'Sun 22 Nov, 10:42 am'],
  ['2026-11-22T10:59:59Z', '2026-11-22T11:00:00Z', 'Sun 22 Nov, 11:59 pm'],
  ['2026-11-22T11:00:00Z', '2026-11-22T11:00:00Z', 'Mon 23 Nov, 12:00 am'],
  ['2026-11-22T23:05:00Z', '2026-11-23T11:00:00Z', 'Mon 23 Nov, 12:05 pm'],
  // This instant is one minute before the current time, but in Auckland it falls in the previous year.
  ['2026-12-31T10:59:00Z', '2026-12-31T11:00:00Z', 'Thu 31 Dec 2026, 11:59 pm'],
  ['2026-09-23T00:00:00Z', '2026-11-22T00:00:00Z', 'Wed 23 Sep, 12:00 pm'],
  ['2026-09-22T23:59:00Z', '2026-11-22T00:00:00Z', '23 Sep, 11:59 am'],
  ['2025-08-04T21:00:00Z', '2026-11-22T00:00:00Z', '5 Aug 2025, 9:00 am'],
  // These instants lie just before and after the hour that daylight saving time skips, and within the hour that it repeats.
  ['2026-09-26T13:59:00Z', '2026-10-01T00:00:00Z', 'Sun 27 Sep, 1:59 am'],
  ['2026-09-26T14:00:00Z', '2026-10-01T00:00:00Z', 'Sun 27 Sep, 3:00 am'],
  ['2026-04-04T13:30:00Z', '2026-04-05T00:00:00Z', 'Sun 5 Apr, 2:30 am'],
  ['2026-04-04T14:30:00Z', '2026-04-05T00:00:00Z', 'Sun 5 Apr, 2:30 am'],
])('formats the instant %s, when the current time is %s, as %s', (instant, now, text) =>
  expect(formatMoment(instant, { zone, now })).toBe(text),
)

test('formats an instant in the given time zone', () =>
  expect(formatMoment('2026-11-21T21:42:00Z', { zone: 'Australia/Perth', now: '2026-11-22T00:00:00Z' })).toBe(
    'Sun 22 Nov, 5:42 am',
  ))

test('formatMoment names the zone in a market with several zones', () => {
  const reader = { zone: 'Australia/Sydney', now: '2026-11-22T00:00:00Z' }
  expect(formatMoment('2026-11-21T21:42:00Z', reader)).toBe('Sun 22 Nov, 8:42 am, Sydney time')
  expect(formatMomentWithoutZone('2026-11-21T21:42:00Z', reader)).toBe('Sun 22 Nov, 8:42 am')
})

test.each([
  ['2026-11-20T21:42:00Z', 'Pacific/Auckland', '10:42 am', '10:42 am'],
  ['2026-11-20T11:05:00Z', 'Pacific/Auckland', '12:05 am', '12:05 am'],
  ['2026-11-20T23:00:59Z', 'Pacific/Auckland', '12:00 pm', '12:00 pm'],
  ['2026-11-20T05:42:00Z', 'Australia/Sydney', '4:42 pm Sydney time', '4:42 pm'],
])('formats the time of the instant %s in %s as %s, and without the zone as %s', (instant, zone, time, bareTime) => {
  expect(formatTime(instant, zone)).toBe(time)
  expect(formatTimeWithoutZone(instant, zone)).toBe(bareTime)
})

test('formatMoment throws a RangeError for text that is not an instant', () =>
  expect(() => formatMoment('soon', { zone, now: '2026-11-22T00:00:00Z' })).toThrow(RangeError))

test.each([
  ['2027-03-01', '2027-01-12T00:00:00Z', 'Mon 1 Mar'],
  // In Auckland, these two instants fall on 31 December 2026 and 1 January 2027.
  ['2027-01-05', '2026-12-31T10:59:59Z', 'Tue 5 Jan'],
  ['2027-01-05', '2026-12-31T11:00:00Z', 'Tue 5 Jan'],
  ['2027-06-01', '2027-01-12T00:00:00Z', '1 Jun'],
  ['2027-02-28T11:00:00Z', '2027-01-12T00:00:00Z', 'Mon 1 Mar'],
  ['2027-02-28T10:59:59Z', '2027-01-12T00:00:00Z', 'Sun 28 Feb'],
])('formats the day %s, when the current time is %s, as %s', (when, now, text) =>
  expect(formatDay(when, { zone, now })).toBe(text),
)

test('abbreviates every weekday and every month to three letters', () => {
  const at = (instant: string) => formatMoment(instant, { zone: 'UTC', now: '2026-06-05T00:00:00Z' })
  const days = Array.from({ length: 7 }, (_, day) => at(`2026-06-0${day + 1}T00:00:00Z`).slice(0, 3))
  expect(days).toEqual(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'])
  const months = Array.from({ length: 12 }, (_, month) =>
    formatMoment(`2025-${String(month + 1).padStart(2, '0')}-01T00:00:00Z`, {
      zone: 'UTC',
      now: '2026-12-01T00:00:00Z',
    }),
  )
  expect(months.map((text) => text.slice(2, 5)).join(' ')).toBe('Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec')
})

test('a calendar day is the same day in every time zone, even in zones behind UTC', () => {
  const now = '2027-01-12T00:00:00Z'
  expect(formatDay('2027-03-01', { zone: 'America/New_York', now })).toBe('Mon 1 Mar')
  expect(formatDay('2027-03-01T00:00:00Z', { zone: 'America/New_York', now })).toBe('Sun 28 Feb')
})
