import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayOf } from './relative-day.ts'

const zones = [
  'Pacific/Auckland',
  'Pacific/Chatham',
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'Australia/Eucla',
  'UTC',
] as const

test('dayOf returns the local day of an instant, even when nearby instants are cached', () => {
  const instant = fc.integer({ min: Date.UTC(1960, 0), max: Date.UTC(2100, 0) })
  const near = fc.array(fc.integer({ min: -1_800_000, max: 1_800_000 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(fc.constantFrom(...zones), instant, near, (zone, ms, steps) => {
      for (const step of [0, ...steps]) {
        const at = Temporal.Instant.fromEpochMilliseconds(ms + step)
        expect(dayOf(at, zone).toString()).toBe(at.toZonedDateTimeISO(zone).toPlainDate().toString())
      }
    }),
    { numRuns: 500 },
  )
})

test.each(zones)(
  'days in %s start at their first millisecond, even if the clocks change for daylight saving',
  (zone) => {
    let day = Temporal.PlainDate.from('2026-01-01')
    for (; day.year === 2026; day = day.add({ days: 1 })) {
      const first = day.toZonedDateTime(zone).epochMilliseconds
      const days = [first - 1, first].map((ms) => dayOf(Temporal.Instant.fromEpochMilliseconds(ms), zone).toString())
      expect(days).toEqual([day.subtract({ days: 1 }).toString(), day.toString()])
    }
  },
)
