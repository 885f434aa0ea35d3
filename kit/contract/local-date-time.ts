import { getZoneClock } from './zone-clock.ts'

/**
 * Date formatters by time zone, cached because creating one is far slower than using it. The Swedish locale writes dates numerically, with
 * the largest unit first.
 */
const formatters: Record<string, Intl.DateTimeFormat> = {}
const getFormatter = (zone: string): Intl.DateTimeFormat =>
  (formatters[zone] ??= new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }))

/**
 * Formats an instant as a local date and time: `2026-11-05`, one separator character, then `09:07`. More characters may follow. Day and
 * month names are left out because browsers spell them differently. The function avoids Temporal, which some browsers lack.
 * @param zone IANA name of the time zone
 * @throws RangeError for an invalid date
 */
export function formatLocalDateTime(when: Date, zone: string): string {
  const ms = when.getTime()
  const zoneClock = getZoneClock()
  const offsetMs =
    zone === 'UTC' ? 0 : zoneClock?.zone === zone && zoneClock.changes.findLast(([since]) => since <= ms)?.[1]
  return typeof offsetMs === 'number' ? new Date(ms + offsetMs).toISOString() : getFormatter(zone).format(when)
}

/**
 * Formats the time part of a local date and time as `'10:42 am'`. Browsers differ in how they write `am` and the space before it, so we
 * don't use their formatting.
 */
export function formatClockTime(local: string): string {
  const hour = Number(local.slice(11, 13))
  return `${hour % 12 || 12}${local.slice(13, 16)} ${hour < 12 ? 'am' : 'pm'}`
}
