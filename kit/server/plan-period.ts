import { cycleLengthDays, getCycleCount } from '../contract/plans.ts'
import { dayOf } from './relative-day.ts'

const maxCachedPeriods = 5_000

function createCache<T extends object>(): (what: string, reckon: () => T) => T {
  const cachedResults = new Map<string, T>()
  return (what, reckon) => {
    const known = cachedResults.get(what)
    if (known) return known
    if (cachedResults.size >= maxCachedPeriods) cachedResults.clear()
    const result = reckon()
    cachedResults.set(what, result)
    return result
  }
}
const midnightCache = createCache<Temporal.Instant>()
const hourCache = createCache<Temporal.Instant>()
const lastDayCache = createCache<Temporal.PlainDate>()
const periodCache = createCache<PlanPeriod>()
const planSpanCache = createCache<{ startsOn: Temporal.PlainDate; lengthDays: number }>()

/** A plan's state at a given instant. Days are local days in the time zone, and every boundary is a local midnight. */
export type PlanPeriod = Readonly<{
  startsAt: Temporal.Instant
  expiresAt: Temporal.Instant
  renewsAt: Temporal.Instant
  cycleStartsAt: Temporal.Instant
  cycleLength: number
  isFinalCycle: boolean
  cycles: number
  isExpired: boolean
  /** Days until `renewsAt`, counting today; 0 once the plan has expired. */
  daysRemaining: number
}>

/**
 * Returns the days on which a plan's cycles end. For a plan that starts on day D, the cycles end on D + 30k, except that the last one ends
 * on D + length.
 */
export function listCycleEnds(startsOn: Temporal.PlainDate, lengthDays: number): Temporal.PlainDate[] {
  const cycles = getCycleCount(lengthDays)
  return Array.from({ length: cycles }, (_, cycle) =>
    startsOn.add({ days: cycle === cycles - 1 ? lengthDays : cycleLengthDays * (cycle + 1) }),
  )
}

export const computePlanSpan = (startsOn: string, expiresAt: Date, zone: string) =>
  planSpanCache(`${startsOn} ${expiresAt.getTime()} ${zone}`, () => {
    const day = Temporal.PlainDate.from(startsOn)
    const end = dayOf(Temporal.Instant.fromEpochMilliseconds(expiresAt.getTime()), zone)
    return { startsOn: day, lengthDays: day.until(end, { largestUnit: 'days' }).days }
  })

/** Computes a plan's state. `startsOn` is the day of purchase, which is day 1. `lengthDays` is the plan's length. */
export function computePlanPeriod(
  now: Temporal.Instant,
  startsOn: Temporal.PlainDate,
  lengthDays: number,
  zone: string,
): PlanPeriod {
  const today = dayOf(now, zone)
  return periodCache(`${today.toString()} ${startsOn.toString()} ${lengthDays} ${zone}`, () =>
    findPeriodOn(today, startsOn, lengthDays, zone),
  )
}

function findPeriodOn(
  today: Temporal.PlainDate,
  startsOn: Temporal.PlainDate,
  lengthDays: number,
  zone: string,
): PlanPeriod {
  const ends = listCycleEnds(startsOn, lengthDays)
  const expiry = startsOn.add({ days: lengthDays })
  const end = ends.find((day) => Temporal.PlainDate.compare(today, day) < 0) ?? expiry
  const cycle = ends.findIndex((day) => day.equals(end))
  const start = ends[cycle - 1] ?? startsOn
  const countDaysUntil = (day: Temporal.PlainDate): number => today.until(day, { largestUnit: 'days' }).days
  return {
    startsAt: getMidnight(startsOn, zone),
    expiresAt: getMidnight(expiry, zone),
    renewsAt: getMidnight(end, zone),
    cycleStartsAt: getMidnight(start, zone),
    cycleLength: start.until(end, { largestUnit: 'days' }).days,
    isFinalCycle: cycle === ends.length - 1,
    cycles: ends.length,
    isExpired: Temporal.PlainDate.compare(today, expiry) >= 0,
    daysRemaining: Math.max(0, countDaysUntil(end)),
  }
}

export const computeReleaseTime = (expiresAt: Temporal.Instant, zone: string, keptDays: number): Temporal.Instant =>
  getMidnight(dayOf(expiresAt, zone).add({ days: keptDays }), zone)

export const getLastReservedDay = (expiresAt: Temporal.Instant, zone: string, keptDays: number): Temporal.PlainDate =>
  lastDayCache(`${expiresAt.epochMilliseconds} ${keptDays} ${zone}`, () =>
    dayOf(computeReleaseTime(expiresAt, zone, keptDays), zone).subtract({ days: 1 }),
  )

export const getMidnight = (day: Temporal.PlainDate, zone: string): Temporal.Instant =>
  midnightCache(`${day.toString()} ${zone}`, () => day.toZonedDateTime(zone).toInstant())

/**
 * Returns a given hour on the local day that is `days` days before a plan or a number ends. Day 1 is the last day on which the plan or
 * number works.
 */
export const getHourOnDayBefore = (
  end: Temporal.Instant,
  { days, hour }: { days: number; hour: number },
  zone: string,
): Temporal.Instant =>
  hourCache(`${end.epochMilliseconds} ${days} ${hour} ${zone}`, () =>
    dayOf(end, zone).subtract({ days }).toZonedDateTime({ timeZone: zone, plainTime: { hour } }).toInstant(),
  )

/**
 * Returns the deadline for cancelling a plan that is waiting to start: the end of the day before the running plan's last day. It counts
 * calendar days in the market's zone, as pages do, so around a clock change it is 23 or 25 hours before the plan starts.
 */
export const getCancellationDeadline = (startsAt: Temporal.Instant, zone: string): Temporal.Instant =>
  startsAt.toZonedDateTimeISO(zone).subtract({ days: 1 }).toInstant()
