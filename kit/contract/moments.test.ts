import { expect, test } from 'vitest'
import { formatMoment } from './moments.ts'

const zone = 'Pacific/Auckland'

test.each([
  ['2026-11-21T21:42:00Z', '2026-11-22T00:00:00Z', 'Sun 22 Nov, 10:42 am'],
  ['2026-11-22T10:59:59Z', '2026-11-22T11:00:00Z', 'Sun 22 Nov, 11:59 pm'],
  ['2026-11-22T11:00:00Z', '2026-11-22T11:00:00Z', 'Mon 23 Nov, 12:00 am'],
  ['2026-11-22T23:05:00Z', '2026-11-23T11:00:00Z', 'Mon 23 Nov, 12:05 pm'],
  // Near, but in another year there.
  ['2026-12-31T10:59:00Z', '2026-12-31T11:00:00Z', 'Thu 31 Dec 2026, 11:59 pm'],
  ['2026-09-23T00:00:00Z', '2026-11-22T00:00:00Z', 'Wed 23 Sep, 12:00 pm'],
  ['2026-09-22T23:59:00Z', '2026-11-22T00:00:00Z', '23 Sep, 11:59 am'],
  ['2025-08-04T21:00:00Z', '2026-11-22T00:00:00Z', '5 Aug 2025, 9:00 am'],
  // The hour that daylight saving leaves out and the one that it has twice.
  ['2026-09-26T13:59:00Z', '2026-10-01T00:00:00Z', 'Sun 27 Sep, 1:59 am'],
  ['2026-09-26T14:00:00Z', '2026-10-01T00:00:00Z', 'Sun 27 Sep, 3:00 am'],
  ['2026-04-04T13:30:00Z', '2026-04-05T00:00:00Z', 'Sun 5 Apr, 2:30 am'],
  ['2026-04-04T14:30:00Z', '2026-04-05T00:00:00Z', 'Sun 5 Apr, 2:30 am'],
])('%s is read at %s as %s', (instant, now, text) => expect(formatMoment(instant, { zone, now })).toBe(text))

test('in another zone it is another', () =>
  expect(formatMoment('2026-11-21T21:42:00Z', { zone: 'Australia/Perth', now: '2026-11-22T00:00:00Z' })).toBe(
    'Sun 22 Nov, 5:42 am',
  ))

test('refuses what is no instant', () =>
  expect(() => formatMoment('soon', { zone, now: '2026-11-22T00:00:00Z' })).toThrow(RangeError))
