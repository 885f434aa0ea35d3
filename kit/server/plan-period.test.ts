import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { getCycleCount } from '#kit/contract/plans.ts'
import {
  getCancellationDeadline,
  listCycleEnds,
  getHourOnDayBefore,
  getLastReservedDay,
  getMidnight,
  computePlanPeriod,
  computeReleaseTime,
  computePlanSpan,
} from './plan-period.ts'

const zones = [
  'Pacific/Auckland',
  'Pacific/Chatham',
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'Australia/Perth',
] as const
const zone = fc.constantFrom(...zones)
const lengths = fc.integer({ min: 1, max: 800 })
const starts = fc.integer({ min: 0, max: 20_000 }).map((days) => Temporal.PlainDate.from('2000-01-01').add({ days }))
const moments = (startsOn: Temporal.PlainDate, length: number, zone: string) =>
  fc
    .tuple(fc.integer({ min: -1, max: length + 10 }), fc.integer({ min: 0, max: 86_399_999 }))
    .map(([day, ms]) => getMidnight(startsOn.add({ days: day }), zone).add({ milliseconds: ms }))
const plan = fc.tuple(zone, starts, lengths).chain(([zone, startsOn, length]) =>
  fc.record({
    zone: fc.constant(zone),
    startsOn: fc.constant(startsOn),
    length: fc.constant(length),
    now: moments(startsOn, length, zone),
  }),
)
const day = (instant: Temporal.Instant, zone: string) => instant.toZonedDateTimeISO(zone)
const before = (a: Temporal.Instant, b: Temporal.Instant): boolean => Temporal.Instant.compare(a, b) < 0

describe('plans of any length, starting on any day in any time zone', () => {
  test("data cycles follow each other without gaps, from the plan's first day to its end", () => {
    fc.assert(
      fc.property(starts, lengths, (startsOn, length) => {
        const ends = listCycleEnds(startsOn, length)
        expect(ends).toHaveLength(getCycleCount(length))
        expect(ends.at(-1)?.toString()).toBe(startsOn.add({ days: length }).toString())
        const days = ends.map((end, cycle) => (ends[cycle - 1] ?? startsOn).until(end, { largestUnit: 'days' }).days)
        expect(days.slice(0, -1).every((length) => length === 30)).toBe(true)
        expect(days.at(-1)).toBeGreaterThanOrEqual(1)
        expect(days.reduce((sum, length) => sum + length, 0)).toBe(length)
      }),
    )
  })

  test('plans and their cycles start and end at the first instant of a local day', () => {
    fc.assert(
      fc.property(plan, ({ zone, startsOn, length, now }) => {
        const { startsAt, expiresAt, renewsAt, cycleStartsAt } = computePlanPeriod(now, startsOn, length, zone)
        for (const boundary of [startsAt, expiresAt, renewsAt, cycleStartsAt]) {
          const local = day(boundary, zone)
          expect(local.startOfDay().toInstant().equals(boundary)).toBe(true)
        }
        expect(day(expiresAt, zone).toPlainDate().toString()).toBe(startsOn.add({ days: length }).toString())
      }),
    )
  })

  test('the current cycle of a running plan contains the current instant, and an expired plan has no days left', () => {
    fc.assert(
      fc.property(plan, ({ zone, startsOn, length, now }) => {
        const period = computePlanPeriod(now, startsOn, length, zone)
        expect(period.isExpired).toBe(!before(now, period.expiresAt))
        expect(period.isFinalCycle).toBe(period.renewsAt.equals(period.expiresAt))
        const isRunning = !period.isExpired && !before(now, period.startsAt)
        expect(isRunning && !(before(now, period.renewsAt) && !before(now, period.cycleStartsAt))).toBe(false)
        expect(isRunning && (period.daysRemaining < 1 || period.daysRemaining > period.cycleLength)).toBe(false)
        expect(period.isExpired && period.daysRemaining !== 0).toBe(false)
      }),
    )
  })

  test("the remaining days equal the cycle's length on a plan's first day, one fewer on the second, and 1 on the plan's last day", () => {
    fc.assert(
      fc.property(plan, ({ zone, startsOn, length }) => {
        const last = startsOn.add({ days: length - 1 })
        const at = (date: Temporal.PlainDate) =>
          computePlanPeriod(getMidnight(date, zone).add({ milliseconds: 1 }), startsOn, length, zone)
        expect(at(last).daysRemaining).toBe(1)
        expect(at(startsOn).daysRemaining).toBe(at(startsOn).cycleLength)
        const { cycleLength } = at(startsOn)
        expect(cycleLength === 1 || at(startsOn.add({ days: 1 })).daysRemaining === cycleLength - 1).toBe(true)
      }),
    )
  })
})

describe('days on which the clocks change', () => {
  const auckland = 'Pacific/Auckland'
  const at = (instant: string, startsOn: string, length: number) =>
    computePlanPeriod(Temporal.Instant.from(instant), Temporal.PlainDate.from(startsOn), length, auckland)

  test('a plan that spans the end of daylight saving time ends at local midnight, an hour later in UTC', () => {
    const { startsAt, expiresAt } = at('2027-03-20T00:00:00Z', '2027-03-20', 30)
    expect([startsAt.toString(), expiresAt.toString()]).toEqual(['2027-03-19T11:00:00Z', '2027-04-18T12:00:00Z'])
  })

  test('a plan that spans the start of daylight saving time ends at local midnight, an hour earlier in UTC', () => {
    const { startsAt, expiresAt } = at('2026-09-20T00:00:00Z', '2026-09-10', 30)
    expect([startsAt.toString(), expiresAt.toString()]).toEqual(['2026-09-09T12:00:00Z', '2026-10-09T11:00:00Z'])
  })

  test('the last hour of the day on which clocks go back still belongs to the plan', () => {
    // 4 April 2027 has 25 hours in Auckland.
    expect(at('2027-04-04T11:30:00Z', '2027-03-06', 30)).toMatchObject({ isExpired: false, daysRemaining: 1 })
    expect(at('2027-04-04T12:00:00Z', '2027-03-06', 30)).toMatchObject({ isExpired: true, daysRemaining: 0 })
  })

  test('29 February counts as one day of a plan', () => {
    expect(
      at('2028-02-10T00:00:00Z', '2028-01-31', 30).expiresAt.toZonedDateTimeISO(auckland).toPlainDate().toString(),
    ).toBe('2028-03-01')
    expect(
      at('2027-02-10T00:00:00Z', '2027-01-31', 30).expiresAt.toZonedDateTimeISO(auckland).toPlainDate().toString(),
    ).toBe('2027-03-02')
    expect(
      at('2028-02-29T00:00:00Z', '2028-02-29', 365).expiresAt.toZonedDateTimeISO(auckland).toPlainDate().toString(),
    ).toBe('2029-02-28')
  })

  test('a plan of 365 days has twelve data cycles, and the last one lasts 35 days', () => {
    expect(listCycleEnds(Temporal.PlainDate.from('2026-01-01'), 365).slice(-2).map(String)).toEqual([
      '2026-11-27',
      '2027-01-01',
    ])
    expect(at('2026-12-15T00:00:00Z', '2026-01-01', 365)).toMatchObject({
      isFinalCycle: true,
      cycleLength: 35,
      daysRemaining: 17,
    })
  })
})

test("a number is released at local midnight, the given number of days after its plan's end", () => {
  const nz = 'Pacific/Auckland'
  const end = getMidnight(Temporal.PlainDate.from('2027-03-20'), nz)
  expect(computeReleaseTime(end, nz, 50).toZonedDateTimeISO(nz).toPlainDateTime().toString()).toBe(
    '2027-05-09T00:00:00',
  )
})

test("counts a cycle's length in days, not in months", () => {
  const [now, start] = [Temporal.Instant.from('2027-03-25T00:00:00Z'), Temporal.PlainDate.from('2027-01-01')]
  expect(computePlanPeriod(now, start, 400, 'UTC')).toMatchObject({ cycleLength: 30, daysRemaining: 7 })
  expect(computePlanPeriod(Temporal.Instant.from('2028-01-01T00:00:00Z'), start, 400, 'UTC')).toMatchObject({
    isFinalCycle: true,
    cycleLength: 40,
    daysRemaining: 35,
  })
})

describe('dates at the end of a plan', () => {
  const nz = 'Pacific/Auckland'
  const at = (day: string, zone = nz) => getMidnight(Temporal.PlainDate.from(day), zone)
  const local = (instant: Temporal.Instant) => instant.toZonedDateTimeISO(nz).toPlainDateTime().toString()

  test('the last day on which a number can be kept is the day before it returns to the network', () => {
    expect(getLastReservedDay(at('2027-03-20'), nz, 50).toString()).toBe('2027-05-08')
    expect(getLastReservedDay(at('2027-03-20'), nz, 30).toString()).toBe('2027-04-18')
    expect(getLastReservedDay(at('2027-03-21'), nz, 50).toString()).toBe('2027-05-09')
  })

  test('a next plan can be cancelled until local midnight, one day before it starts, even if the clocks change', () => {
    expect(local(getCancellationDeadline(at('2027-03-20'), nz))).toBe('2027-03-19T00:00:00')
    expect(local(getCancellationDeadline(at('2027-04-05'), nz))).toBe('2027-04-04T00:00:00')
    expect(local(getCancellationDeadline(at('2026-09-28'), nz))).toBe('2026-09-27T00:00:00')
  })

  test('a reminder goes out at its local hour, even if the clocks have changed', () => {
    expect(local(getHourOnDayBefore(at('2027-04-06'), { days: 3, hour: 9 }, nz))).toBe('2027-04-03T09:00:00')
    expect(local(getHourOnDayBefore(at('2027-04-06'), { days: 1, hour: 9 }, nz))).toBe('2027-04-05T09:00:00')
    expect(local(getHourOnDayBefore(at('2027-04-06'), { days: 1, hour: 17 }, nz))).toBe('2027-04-05T17:00:00')
  })

  test("a stored plan's length is counted in local days, not in months or 24-hour periods", () => {
    const span = (startsOn: string, end: string, zone = nz) => {
      const { startsOn: day, lengthDays } = computePlanSpan(startsOn, new Date(at(end, zone).epochMilliseconds), zone)
      return [day.toString(), lengthDays]
    }
    expect(span('2027-03-20', '2027-04-19')).toEqual(['2027-03-20', 30])
    expect(span('2026-09-20', '2026-10-20')).toEqual(['2026-09-20', 30])
    expect(span('2026-01-01', '2027-01-01')).toEqual(['2026-01-01', 365])
    expect(span('2026-01-01', '2027-01-01', 'Australia/Perth')).toEqual(['2026-01-01', 365])
  })
})

test('caches at most 5,000 midnights, and does not calculate a cached one again', () => {
  const first = Temporal.PlainDate.from('2000-01-01')
  let days = 0
  const newDaysUntilForgotten = () => {
    const remembered = getMidnight(first, 'UTC')
    for (let added = 1; added <= 6_000; added++) {
      getMidnight(first.add({ days: (days += 1) }), 'UTC')
      if (getMidnight(first, 'UTC') !== remembered) return added
    }
    return Infinity
  }
  // Other tests in this process may already have filled part of the midnight cache.
  expect(newDaysUntilForgotten()).toBeLessThanOrEqual(5_000)
  // The cache now holds two midnights. Adding midnight number 5,001 clears the cache.
  expect(newDaysUntilForgotten()).toBe(4_999)
})
