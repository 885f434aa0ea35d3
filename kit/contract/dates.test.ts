import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatDate } from './dates.ts'

describe('formatDate: dates shown to customers', () => {
  test.each([
    ['2026-11-04T11:00:00Z', 'Pacific/Auckland', '05 Nov 2026'],
    ['2026-11-04T10:59:59Z', 'Pacific/Auckland', '04 Nov 2026'],
    ['2026-11-04T13:00:00Z', 'Australia/Sydney', '05 Nov 2026'],
    ['2026-11-04T12:59:59Z', 'Australia/Sydney', '04 Nov 2026'],
    ['2026-09-30T00:00:00+13:00', 'Pacific/Auckland', '30 Sep 2026'],
    ['2027-12-31T11:00:00Z', 'Pacific/Auckland', '01 Jan 2028'],
  ])('formats %s in the time zone %s as %s', (instant, zone, day) => {
    expect(formatDate(instant, zone)).toBe(day)
    expect(formatDate(Temporal.Instant.from(instant), zone)).toBe(day)
  })

  test('formats a calendar day as the same day in every time zone', () => {
    expect(formatDate('2026-06-01', 'Pacific/Auckland')).toBe('01 Jun 2026')
    expect(formatDate('2026-06-01', 'America/New_York')).toBe('01 Jun 2026')
  })

  test('formatDate throws a RangeError for text that is not a date, and for an unknown time zone', () => {
    expect(() => formatDate('soon', 'Pacific/Auckland')).toThrow(RangeError)
    expect(() => formatDate('2026-06-01', 'Pacific/Nowhere')).not.toThrow()
    expect(() => formatDate('2026-06-01T00:00Z', 'Pacific/Nowhere')).toThrow(RangeError)
  })

  test('formatDate returns the same day as Temporal for every instant, including around daylight saving time', () => {
    const names = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
    const instant = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(instant, fc.constantFrom('Pacific/Auckland', 'Australia/Sydney', 'Australia/Perth'), (date, zone) => {
        const local = Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(zone)
        const expected = `${String(local.day).padStart(2, '0')} ${names[local.month - 1]} ${local.year}`
        expect(formatDate(date.toISOString(), zone)).toBe(expected)
      }),
    )
  })
})
