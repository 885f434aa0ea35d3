import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayIn, daysBetween, formatLongDate, getLastDayBefore, addDays, formatShortDate } from './days.ts'

const zone = 'Pacific/Auckland'

describe("dayIn: an instant's local day", () => {
  test.each([
    ['2027-01-10T11:00:00Z', zone, '2027-01-11'],
    ['2027-01-10T10:59:59.999Z', zone, '2027-01-10'],
    ['2026-07-05T12:00:00Z', zone, '2026-07-06'],
    ['2026-07-05T12:00:00Z', 'Australia/Sydney', '2026-07-05'],
    ['2026-12-31T23:30:00Z', 'UTC', '2026-12-31'],
  ])('the instant %s in the time zone %s falls on %s', (instant, where, day) => expect(dayIn(instant, where)).toBe(day))

  test('dayIn throws a RangeError for text that is not an instant', () =>
    expect(() => dayIn('soon', zone)).toThrow(RangeError))

  test('dayIn returns the same local day as Temporal', () =>
    fc.assert(
      fc.property(fc.date({ min: new Date('1970-01-02'), max: new Date('2100-01-01'), noInvalidDate: true }), (at) => {
        const expected = Temporal.Instant.from(at.toISOString()).toZonedDateTimeISO(zone).toPlainDate().toString()
        expect(dayIn(at.toISOString(), zone)).toBe(expected)
      }),
    ))
})

const day = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((at) => at.toISOString().slice(0, 10))
const days = fc.integer({ min: -800, max: 800 })

describe('calendar day arithmetic', () => {
  test('adds and counts calendar days correctly across daylight saving changes and leap years', () =>
    fc.assert(
      fc.property(day, days, (from, count) => {
        const to = addDays(from, count)
        expect(to).toBe(Temporal.PlainDate.from(from).add({ days: count }).toString())
        expect(daysBetween(from, to)).toBe(count)
      }),
    ))

  test('getLastDayBefore returns the day before the given one', () =>
    expect(getLastDayBefore('2027-03-01')).toBe('2027-02-28'))
})

test('formats a day in full, with weekday and year, or in short form', () => {
  expect([formatLongDate('2027-01-11'), formatShortDate('2027-01-11')]).toEqual(['Mon 11 Jan 2027', '11 Jan'])
  expect([formatLongDate('2028-02-29'), formatShortDate('2028-02-29')]).toEqual(['Tue 29 Feb 2028', '29 Feb'])
  expect([formatLongDate('2026-12-05'), formatShortDate('2026-12-05')]).toEqual(['Sat 5 Dec 2026', '5 Dec'])
})
