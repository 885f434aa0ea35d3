import { monthNames, weekdayNames } from './dates.ts'
import { formatClockTime, formatLocalDateTime } from './local-date-time.ts'
import { appendZone, appendZoneToTime } from './zone-name.ts'

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

/** Formats an instant with its zone in a market that has several: `'Mon 28 Dec, 9:00 am, Sydney time'`. */
export const formatMoment = (instant: string, reader: DisplayContext): string =>
  appendZone(formatMomentWithoutZone(instant, reader), reader.zone)

/** Formats an instant as `'Mon 28 Dec, 9:00 am'`, for pages that name the zone once for all their times. */
export const formatMomentWithoutZone = (instant: string, reader: DisplayContext): string =>
  `${formatDayText(instant, reader, true)}, ${formatTimeWithoutZone(instant, reader.zone)}`

/** Formats an instant's time of day with its zone in a market that has several: `'9:00 am Sydney time'`. */
export const formatTime = (instant: string, zone: string): string =>
  appendZoneToTime(formatTimeWithoutZone(instant, zone), zone)

export const formatTimeWithoutZone = (instant: string, zone: string): string =>
  formatClockTime(formatLocalDateTime(new Date(instant), zone))

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
