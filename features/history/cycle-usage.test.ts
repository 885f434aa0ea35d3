import { describe, expect, test } from 'vitest'
import type { UsageRecord } from '#providers/network/usage.port.ts'
import { sumUsage } from './server/cycle-usage.ts'
import { computePlanCycles } from './server/cycles.ts'

const record = (day: number, amount: number, type: UsageRecord['type'] = 'data'): UsageRecord => ({
  at: `2026-11-${String(day).padStart(2, '0')}T00:00:00Z`,
  type,
  amount,
  destination: null,
})

describe('adding up a cycle’s data usage', () => {
  test('adds up all the data used in a cycle, ignoring calls and texts', () => {
    expect(sumUsage([record(1, 400.4), record(2, 90, 'voice'), record(3, 99.7), record(4, 1, 'sms')], 5)).toEqual({
      usedMb: 500,
      ranOutAt: null,
    })
    expect(sumUsage([], 5)).toEqual({ usedMb: 0, ranOutAt: null })
  })

  test.each([
    [4_990, null],
    [4_995, '2026-11-02T00:00:00Z'],
    [5_000, '2026-11-02T00:00:00Z'],
    [7_000, '2026-11-02T00:00:00Z'],
  ])('a 5 GB cycle with %d MB used ran out of data at %s', (used, ranOutAt) => {
    const { ranOutAt: at } = sumUsage([record(1, 10), record(2, used - 10), record(3, 0)], 5)
    expect(at?.toString() ?? null).toBe(ranOutAt)
  })

  test('a cycle of a plan without data never counts as having run out of data', () => {
    expect(sumUsage([record(1, 100)], 0)).toEqual({ usedMb: 100, ranOutAt: null })
  })
})

describe('dividing a plan into data cycles', () => {
  const zone = 'Pacific/Auckland'
  const expiresAt = (day: string) => Temporal.PlainDate.from(day).toZonedDateTime(zone).toInstant()
  const spans = (startsOn: string, ends: string, from?: Temporal.Instant) =>
    computePlanCycles({ startsOn: Temporal.PlainDate.from(startsOn), expiresAt: expiresAt(ends) }, zone, from).map(
      ({ startsAt, endsAt }) => [String(startsAt), String(endsAt)],
    )

  test('each cycle of a 90-day plan lasts 30 local days, even across a daylight saving change', () => {
    expect(spans('2026-09-01', '2026-11-30')).toEqual([
      ['2026-08-31T12:00:00Z', '2026-09-30T11:00:00Z'],
      ['2026-09-30T11:00:00Z', '2026-10-30T11:00:00Z'],
      ['2026-10-30T11:00:00Z', '2026-11-29T11:00:00Z'],
    ])
  })

  test('if a plan starts during the day, its first cycle begins at that time rather than at midnight', () => {
    const from = Temporal.Instant.from('2026-08-31T20:00:00Z')
    expect(spans('2026-09-01', '2026-09-08', from)).toEqual([['2026-08-31T20:00:00Z', '2026-09-07T12:00:00Z']])
  })
})
