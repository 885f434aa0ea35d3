import { toldClock } from './zone-clock.ts'

/** To make a format takes far longer than to use it: there is one for each zone. Swedish is written in figures, the largest first. */
const formats: Record<string, Intl.DateTimeFormat> = {}
const formatIn = (zone: string): Intl.DateTimeFormat =>
  (formats[zone] ??= new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }))

/**
 * An instant as clock and calendar have it in a zone: text that begins with `2026-11-05` and, one letter later, `09:07`. Browsers do not
 * agree on the names of days and months. Works without Temporal, which not every browser has.
 * @param zone IANA name, such as the market's
 * @throws RangeError when it is no date
 */
export function localText(when: Date, zone: string): string {
  const ms = when.getTime()
  const told = toldClock()
  const ahead = zone === 'UTC' ? 0 : told?.zone === zone && told.changes.findLast(([since]) => since <= ms)?.[1]
  return typeof ahead === 'number' ? new Date(ms + ahead).toISOString() : formatIn(zone).format(when)
}

/** The time of a local text, `'10:42 am'`: browsers do not agree which space stands before 'am', or how it is spelt. */
export function clockTime(local: string): string {
  const hour = Number(local.slice(11, 13))
  return `${hour % 12 || 12}${local.slice(13, 16)} ${hour < 12 ? 'am' : 'pm'}`
}
