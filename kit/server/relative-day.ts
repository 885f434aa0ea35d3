import { monthNames } from '../contract/dates.ts'
import { formatDay, weekdayRangeDays } from '../contract/format-moment.ts'
import { appendZone } from '../contract/zone-name.ts'

const quarterHourMs = 900_000
/**
 * Since 1973, every zone's UTC offset is a multiple of 15 minutes and changes on such a boundary, so no day starts inside a quarter hour.
 */
const quarterAlignedSince = Date.UTC(1973, 0)
const maxCachedDays = 5_000
const cachedDays = new Map<string, Map<number, Temporal.PlainDate>>()

/** Returns an instant's local day. Time zone conversions are slow, so the day is cached for each quarter hour. */
export function dayOf(at: Temporal.Instant, zone: string): Temporal.PlainDate {
  const { epochMilliseconds: ms } = at
  if (ms < quarterAlignedSince) return at.toZonedDateTimeISO(zone).toPlainDate()
  const days = cachedDays.get(zone) ?? new Map<number, Temporal.PlainDate>()
  const quarterHour = Math.floor(ms / quarterHourMs)
  const day = days.get(quarterHour) ?? at.toZonedDateTimeISO(zone).toPlainDate()
  if (days.size >= maxCachedDays) days.clear()
  cachedDays.set(zone, days.set(quarterHour, day))
  return day
}

export const getLastDayBefore = (end: Temporal.Instant, zone: string): Temporal.PlainDate =>
  dayOf(end.subtract({ nanoseconds: 1 }), zone)

export const formatRelativeDay = (day: Temporal.PlainDate, today: Temporal.PlainDate): string =>
  formatDay(day.toString(), { zone: 'UTC', now: `${today.toString()}T00:00:00Z` })

export function formatShortDate(day: Temporal.PlainDate, today: Temporal.PlainDate): string {
  const isFar = Math.abs(today.until(day, { largestUnit: 'days' }).days) > weekdayRangeDays
  return `${day.day} ${monthNames[day.month - 1]}${isFar && day.year !== today.year ? ` ${day.year}` : ''}`
}

/** Formats an instant for use within a sentence: `'9 am today'`, `'9 am on Mon 28 Dec'`. In Australia, `', Sydney time'` follows. */
export function formatHourAndDay(at: Temporal.Instant, today: Temporal.PlainDate, zone: string): string {
  const day = dayOf(at, zone)
  return appendZone(
    `${formatHour(at, zone)} ${day.equals(today) ? 'today' : `on ${formatRelativeDay(day, today)}`}`,
    zone,
  )
}

/** Formats an instant's time of day without the zone, for a sentence that names the zone after its date. */
export function formatHour(at: Temporal.Instant, zone: string): string {
  const { hour, minute } = at.toZonedDateTimeISO(zone)
  const minutes = minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`
  return `${hour % 12 || 12}${minutes} ${hour < 12 ? 'am' : 'pm'}`
}
