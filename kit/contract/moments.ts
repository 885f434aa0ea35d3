import { monthNames, weekdayNames } from './dates.ts'
import { clockTime, localText } from './local-text.ts'

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
  return `${dayText(instant, reader, true)}, ${clockTime(localText(new Date(instant), reader.zone))}`
}

function dayText(when: string, { zone, now }: Reader, hasYearWhenNear: boolean): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(when)
  const [year, month, day] = localText(new Date(when), isDay ? 'UTC' : zone)
    .slice(0, 10)
    .split('-')
  const isNear = Math.abs(Date.parse(now) - Date.parse(when)) <= nearDays * 86_400_000
  const weekday = isNear ? `${weekdayNames[new Date(`${year}-${month}-${day}`).getUTCDay()]} ` : ''
  const hasYear = (hasYearWhenNear || !isNear) && year !== localText(new Date(now), zone).slice(0, 4)
  return `${weekday}${Number(day)} ${monthNames[Number(month) - 1]}${hasYear ? ` ${year}` : ''}`
}
