import { dayIn, formatShortDate } from '#kit/contract/days.ts'
import { formatTime24 } from '#kit/web/desk/timeline-days.ts'
import { formatTimeWithSeconds } from './time.labels.ts'

/** Formats an instant with its year, for example `24 Nov 2026, 16:03`. */
export const formatDateAndTime = (at: string, zone: string): string =>
  `${formatDateWithYear(at, zone)}, ${formatTime24(at, zone)}`

/** Formats an instant with its year and to the second, for example `24 Nov 2026, 16:03:08`. */
export const formatDateAndTimeWithSeconds = (at: string, zone: string): string =>
  `${formatDateWithYear(at, zone)}, ${formatTimeWithSeconds(at, zone)}`

function formatDateWithYear(at: string, zone: string): string {
  const day = dayIn(at, zone)
  return `${formatShortDate(day)} ${day.slice(0, 4)}`
}
