import { monthNames } from '../contract/dates.ts'
import { formatDay, nearDays } from '../contract/moments.ts'

const quarterMs = 900_000
/** Since then every zone's clock is a number of quarters of an hour from UTC, and is changed at one: no day begins within one. */
const quartersSince = Date.UTC(1973, 0)
const mostKnown = 5_000
const known = new Map<string, Map<number, Temporal.PlainDate>>()

/** The calendar day of an instant in a zone, whose clock is slow to ask: the days of quarters of an hour are remembered. */
export function dayOf(at: Temporal.Instant, zone: string): Temporal.PlainDate {
  const { epochMilliseconds: ms } = at
  if (ms < quartersSince) return at.toZonedDateTimeISO(zone).toPlainDate()
  const days = known.get(zone) ?? new Map<number, Temporal.PlainDate>()
  const quarter = Math.floor(ms / quarterMs)
  const day = days.get(quarter) ?? at.toZonedDateTimeISO(zone).toPlainDate()
  if (days.size >= mostKnown) days.clear()
  known.set(zone, days.set(quarter, day))
  return day
}

/** The last day on which what ends at this instant still works. */
export const lastDayBefore = (end: Temporal.Instant, zone: string): Temporal.PlainDate =>
  dayOf(end.subtract({ nanoseconds: 1 }), zone)

/** A day in a sentence, `'Sun 10 Jan'`, as pages write it. */
export const dayWords = (day: Temporal.PlainDate, today: Temporal.PlainDate): string =>
  formatDay(day.toString(), { zone: 'UTC', now: `${today.toString()}T00:00:00Z` })

/** A day where there is little room, `'10 Jan'`; with its year when that is not this one and the day is far. */
export function shortDay(day: Temporal.PlainDate, today: Temporal.PlainDate): string {
  const isFar = Math.abs(today.until(day, { largestUnit: 'days' }).days) > nearDays
  return `${day.day} ${monthNames[day.month - 1]}${isFar && day.year !== today.year ? ` ${day.year}` : ''}`
}

/** The hour of an instant in a zone: `'9 am'`, `'12:40 pm'`. */
export function hourWords(at: Temporal.Instant, zone: string): string {
  const { hour, minute } = at.toZonedDateTimeISO(zone)
  const minutes = minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`
  return `${hour % 12 || 12}${minutes} ${hour < 12 ? 'am' : 'pm'}`
}
