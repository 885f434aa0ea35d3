import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { computePlanDates } from './server/services.ts'

const nz = 'Pacific/Auckland'
const period = (bought: string, days: number, zone = nz) => {
  const { startsOn, expiresAt } = computePlanDates(Temporal.Instant.from(bought), days, zone)
  return [startsOn, expiresAt.toZonedDateTimeISO(zone).toString({ timeZoneName: 'never' })]
}

describe('first and last day of a plan', () => {
  test.each([
    ['2026-11-21T10:59:59Z', 30, '2026-11-21', '2026-12-21T00:00:00+13:00'],
    ['2026-11-21T11:00:00Z', 30, '2026-11-22', '2026-12-22T00:00:00+13:00'],
    ['2026-11-21T12:00:00Z', 7, '2026-11-22', '2026-11-29T00:00:00+13:00'],
    ['2027-03-20T00:00:00Z', 30, '2027-03-20', '2027-04-19T00:00:00+12:00'],
    ['2027-09-20T00:00:00Z', 30, '2027-09-20', '2027-10-20T00:00:00+13:00'],
    ['2028-02-01T00:00:00Z', 365, '2028-02-01', '2029-01-31T00:00:00+13:00'],
  ])('a plan bought at %s for %i days begins on %s and ends at %s', (bought, days, startsOn, end) =>
    expect(period(bought, days)).toEqual([startsOn, end]),
  )

  test('a plan’s first day and end are computed in the market’s time zone', () => {
    expect(period('2026-11-21T13:30:00Z', 30, 'Australia/Sydney')).toEqual(['2026-11-22', '2026-12-22T00:00:00+11:00'])
  })

  test('a plan lasts as many days as it was sold for, even across daylight saving changes', () => {
    const instants = fc
      .integer({ min: Date.parse('2026-01-01'), max: Date.parse('2036-01-01') })
      .map((ms) => Temporal.Instant.fromEpochMilliseconds(ms))
    fc.assert(
      fc.property(instants, fc.constantFrom(7, 30, 90, 180, 365), (bought, days) => {
        const { startsOn, expiresAt } = computePlanDates(bought, days, nz)
        const end = expiresAt.toZonedDateTimeISO(nz)
        const first = Temporal.PlainDate.from(startsOn)
        return (
          end.hour === 0 &&
          end.minute === 0 &&
          first.until(end.toPlainDate()).days === days &&
          first.equals(bought.toZonedDateTimeISO(nz).toPlainDate())
        )
      }),
    )
  })
})
