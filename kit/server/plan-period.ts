import { cycleDays, cyclesOf } from '../contract/plans.ts'
import { dayOf } from './day-words.ts'

/** A zone's clock is slow to ask, and everybody's plans end on the same few hundred midnights: so much of a kind is remembered. */
const mostReckoned = 5_000

function reckonedOnce<T extends object>(): (what: string, reckon: () => T) => T {
  const reckoned = new Map<string, T>()
  return (what, reckon) => {
    const known = reckoned.get(what)
    if (known) return known
    if (reckoned.size >= mostReckoned) reckoned.clear()
    const result = reckon()
    reckoned.set(what, result)
    return result
  }
}
const midnights = reckonedOnce<Temporal.Instant>()
const hours = reckonedOnce<Temporal.Instant>()
const lastDays = reckonedOnce<Temporal.PlainDate>()
const periods = reckonedOnce<PlanPeriod>()
const spans = reckonedOnce<{ startsOn: Temporal.PlainDate; lengthDays: number }>()

/** Where a plan stands at an instant. Days are the zone's; every boundary is a local midnight. */
export type PlanPeriod = Readonly<{
  /** The first and the last boundary. */
  startsAt: Temporal.Instant
  expiresAt: Temporal.Instant
  /** The present cycle's end, which is the plan's in the last one. */
  renewsAt: Temporal.Instant
  cycleStartsAt: Temporal.Instant
  /** Real days of the present cycle. */
  cycleLength: number
  isFinalCycle: boolean
  /** How many it has. */
  cycles: number
  isExpired: boolean
  /** Days until `renewsAt`, today included; 0 once the plan has expired. */
  daysRemaining: number
}>

/** The days on which a plan's cycles end, its last day's end included: D + 30k, and D + length. */
export function cycleEnds(startsOn: Temporal.PlainDate, lengthDays: number): Temporal.PlainDate[] {
  const cycles = cyclesOf(lengthDays)
  return Array.from({ length: cycles }, (_, cycle) =>
    startsOn.add({ days: cycle === cycles - 1 ? lengthDays : cycleDays * (cycle + 1) }),
  )
}

/** The days of a plan that begins on a day, as the table has it, and ends at an instant. */
export const spanOf = (startsOn: string, expiresAt: Date, zone: string) =>
  spans(`${startsOn} ${expiresAt.getTime()} ${zone}`, () => {
    const day = Temporal.PlainDate.from(startsOn)
    const end = dayOf(Temporal.Instant.fromEpochMilliseconds(expiresAt.getTime()), zone)
    return { startsOn: day, lengthDays: day.until(end, { largestUnit: 'days' }).days }
  })

/** `startsOn` is the purchase's day, day 1; `lengthDays` the plan's length. */
export function planPeriodAt(
  now: Temporal.Instant,
  startsOn: Temporal.PlainDate,
  lengthDays: number,
  zone: string,
): PlanPeriod {
  const today = dayOf(now, zone)
  return periods(`${today.toString()} ${startsOn.toString()} ${lengthDays} ${zone}`, () =>
    periodOn(today, startsOn, lengthDays, zone),
  )
}

function periodOn(
  today: Temporal.PlainDate,
  startsOn: Temporal.PlainDate,
  lengthDays: number,
  zone: string,
): PlanPeriod {
  const ends = cycleEnds(startsOn, lengthDays)
  const expiry = startsOn.add({ days: lengthDays })
  const end = ends.find((day) => Temporal.PlainDate.compare(today, day) < 0) ?? expiry
  const cycle = ends.findIndex((day) => day.equals(end))
  const start = ends[cycle - 1] ?? startsOn
  const daysTo = (day: Temporal.PlainDate): number => today.until(day, { largestUnit: 'days' }).days
  return {
    startsAt: midnight(startsOn, zone),
    expiresAt: midnight(expiry, zone),
    renewsAt: midnight(end, zone),
    cycleStartsAt: midnight(start, zone),
    cycleLength: start.until(end, { largestUnit: 'days' }).days,
    isFinalCycle: cycle === ends.length - 1,
    cycles: ends.length,
    isExpired: Temporal.PlainDate.compare(today, expiry) >= 0,
    daysRemaining: Math.max(0, daysTo(end)),
  }
}

/** The instant at which a number goes back to the network, so many days after its plan's end. */
export const releaseAt = (expiresAt: Temporal.Instant, zone: string, keptDays: number): Temporal.Instant =>
  midnight(dayOf(expiresAt, zone).add({ days: keptDays }), zone)

/** The last day on which the number can still be kept. */
export const lastDayKept = (expiresAt: Temporal.Instant, zone: string, keptDays: number): Temporal.PlainDate =>
  lastDays(`${expiresAt.epochMilliseconds} ${keptDays} ${zone}`, () =>
    dayOf(releaseAt(expiresAt, zone, keptDays), zone).subtract({ days: 1 }),
  )

/** The first instant of a day. */
export const midnight = (day: Temporal.PlainDate, zone: string): Temporal.Instant =>
  midnights(`${day.toString()} ${zone}`, () => day.toZonedDateTime(zone).toInstant())

/** An hour of the local day so many days before a plan's or a number's end; 1 is the last day on which it works. */
export const hourOnDayBefore = (
  end: Temporal.Instant,
  { days, hour }: { days: number; hour: number },
  zone: string,
): Temporal.Instant =>
  hours(`${end.epochMilliseconds} ${days} ${hour} ${zone}`, () =>
    dayOf(end, zone).subtract({ days }).toZonedDateTime({ timeZone: zone, plainTime: { hour } }).toInstant(),
  )

/**
 * Until when a plan that waits can be given back: the end of the day before the last one of the plan that runs. Counted in the
 * market's days, as pages say it: on the two days of a year with a changed clock that is 23 or 25 hours before it starts.
 */
export const cancellableUntil = (startsAt: Temporal.Instant, zone: string): Temporal.Instant =>
  startsAt.toZonedDateTimeISO(zone).subtract({ days: 1 }).toInstant()
