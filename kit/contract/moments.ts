import { monthNames, weekdayNames } from './dates.ts'
import { localParts } from './local-parts.ts'

/** How near a day must be, in days, to be known by its weekday and without its year. */
export const nearDays = 60

type Reader = {
  /** IANA name, such as the market's. */
  zone: string
  /** ISO 8601 instant at which it is read. */
  now: string
}

/**
 * A day as it stands in a sentence: `'Mon 1 Mar'`; without the weekday once it is far, and then with a year that is another.
 * Works without Temporal, which not every browser has.
 * @param when ISO 8601 instant, or a calendar day `YYYY-MM-DD`
 * @throws RangeError when one is no date
 */
export const formatDay = (when: string, reader: Reader): string => dayText(when, reader, false)

/** An instant as a customer reads it in a list: its day, with a year that is another, and `', 10:42 am'`. */
export function formatMoment(instant: string, reader: Reader): string {
  const { hour, minute } = localParts(new Date(instant), reader.zone)
  const time = `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'am' : 'pm'}`
  return `${dayText(instant, reader, true)}, ${time}`
}

function dayText(when: string, { zone, now }: Reader, hasYearWhenNear: boolean): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(when)
  const { year, month, day } = localParts(new Date(when), isDay ? 'UTC' : zone)
  const isNear = Math.abs(Date.parse(now) - Date.parse(when)) <= nearDays * 86_400_000
  const weekday = isNear ? `${weekdayNames[new Date(Date.UTC(year, month - 1, day)).getUTCDay()]} ` : ''
  const hasYear = (hasYearWhenNear || !isNear) && year !== localParts(new Date(now), zone).year
  return `${weekday}${day} ${monthNames[month - 1]}${hasYear ? ` ${year}` : ''}`
}
