import { monthNames, weekdayNames } from './dates.ts'
import { formatClockTime, formatLocalDateTime } from './local-date-time.ts'

export const weekdayRangeDays = 60

type DisplayContext = {
  zone: string
  now: string
}

/**
 * Formats a day for use within a sentence: `'Mon 1 Mar'`. A day more than `weekdayRangeDays` away has no weekday, but includes the year if
 * it differs from the current year. The function avoids Temporal, which some browsers lack.
 * @param when ISO 8601 instant, or a calendar day `YYYY-MM-DD`
 * @throws RangeError for an invalid date
 */
export const formatDay = (when: string, reader: DisplayContext): string => formatDayText(when, reader, false)

export function formatMoment(instant: string, reader: DisplayContext): string {
  return `${formatDayText(instant, reader, true)}, ${formatClockTime(formatLocalDateTime(new Date(instant), reader.zone))}`
}

function formatDayText(when: string, { zone, now }: DisplayContext, hasYearWhenNear: boolean): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(when)
  const [year, month, day] = formatLocalDateTime(new Date(when), isDay ? 'UTC' : zone)
    .slice(0, 10)
    .split('-')
  const isWithinWeekdayRange = Math.abs(Date.parse(now) - Date.parse(when)) <= weekdayRangeDays * 86_400_000
  const weekday = isWithinWeekdayRange ? `${weekdayNames[new Date(`${year}-${month}-${day}`).getUTCDay()]} ` : ''
  const hasYear =
    (hasYearWhenNear || !isWithinWeekdayRange) && year !== formatLocalDateTime(new Date(now), zone).slice(0, 4)
  return `${weekday}${Number(day)} ${monthNames[Number(month) - 1]}${hasYear ? ` ${year}` : ''}`
}
