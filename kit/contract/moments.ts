import { monthNames, weekdayNames } from './dates.ts'
import { clockTime, localText } from './local-text.ts'

export const nearDays = 60

type Reader = {
  zone: string
  now: string
}

/**
 * A day as it stands in a sentence: `'Mon 1 Mar'`. A day further away than `nearDays` has no weekday, but has its year if that differs from
 * the reader's. The function does not need Temporal, which some browsers lack.
 * @param when ISO 8601 instant, or a calendar day `YYYY-MM-DD`
 * @throws RangeError for an invalid date
 */
export const formatDay = (when: string, reader: Reader): string => dayText(when, reader, false)

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
