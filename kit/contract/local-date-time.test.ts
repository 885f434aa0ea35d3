import { afterEach, expect, test } from 'vitest'
import { formatLocalDateTime } from './local-date-time.ts'
import { setZoneClock } from './zone-clock.ts'

const zone = 'Pacific/Auckland'
const noClock = { zone: '', changes: [] }
afterEach(() => setZoneClock(noClock))

const minuteIn = (instant: string) => {
  const text = formatLocalDateTime(new Date(instant), zone)
  return `${text.slice(0, 10)} ${text.slice(11, 16)}`
}
const hour = 3_600_000
const since = (instant: string) => Date.parse(instant)

// These UTC offsets are not Auckland's real ones, so the results reveal whether the page's offsets were used.
test('a page uses the UTC offsets that came with it, so the browser does not have to look up the time zone', () => {
  setZoneClock({
    zone,
    changes: [
      [since('2026-01-01T00:00:00Z'), 2 * hour],
      [since('2026-06-01T00:00:00Z'), hour],
      [since('2027-01-01T00:00:00Z'), null],
    ],
  })
  expect(minuteIn('2026-03-01T09:07:00Z')).toBe('2026-03-01 11:07')
  expect(minuteIn('2026-05-31T23:59:00Z')).toBe('2026-06-01 01:59')
  expect(minuteIn('2026-06-01T00:00:00Z')).toBe('2026-06-01 01:00')
})

test('a time outside the years covered by a page’s UTC offsets uses the browser’s time zone data', () => {
  setZoneClock({
    zone,
    changes: [
      [since('2026-01-01T00:00:00Z'), hour],
      [since('2027-01-01T00:00:00Z'), null],
    ],
  })
  expect(minuteIn('2025-12-31T23:59:00Z')).toBe('2026-01-01 12:59')
  expect(minuteIn('2027-01-01T00:00:00Z')).toBe('2027-01-01 13:00')
})
