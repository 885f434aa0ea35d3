import { getZoneClock } from './zone-clock.ts'

/**
 * Cached date formats by time zone. Creating a format takes far longer than using it. The Swedish locale writes dates in figures, with the
 * largest unit first.
 */
const formatters: Record<string, Intl.DateTimeFormat> = {}
const formatterFor = (zone: string): Intl.DateTimeFormat =>
  (formatters[zone] ??= new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }))

/**
 * Formats an instant as local date and time: the text begins with `2026-11-05`, then one separator and `09:07`. It has no names of days and
 * months, because browsers differ in them. The function does not need Temporal, which some browsers lack.
 * @param zone IANA name, such as the market's
 * @throws RangeError for an invalid date
 */
export function formatLocalDateTime(when: Date, zone: string): string {
  const ms = when.getTime()
  const zoneClock = getZoneClock()
  const offsetMs =
    zone === 'UTC' ? 0 : zoneClock?.zone === zone && zoneClock.changes.findLast(([since]) => since <= ms)?.[1]
  return typeof offsetMs === 'number' ? new Date(ms + offsetMs).toISOString() : formatterFor(zone).format(when)
}

/**
 * Formats the time of a local date and time as `'10:42 am'`. Browsers differ in the space before 'am' and in its spelling, so we do not use
 * theirs.
 */
export function formatClockTime(local: string): string {
  const hour = Number(local.slice(11, 13))
  return `${hour % 12 || 12}${local.slice(13, 16)} ${hour < 12 ? 'am' : 'pm'}`
}
