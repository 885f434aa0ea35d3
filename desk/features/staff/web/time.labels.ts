import { dayIn, formatShortDate } from '#kit/contract/days.ts'
import { formatTime24 } from '#kit/web/desk/timeline-days.ts'

export function durationLabel(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds * 10) / 10} s`
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`
  if (seconds < 129_600) return `${Math.round(seconds / 3_600)} h`
  return `${Math.round(seconds / 86_400)} days`
}

/**
 * Formats an instant to the second, for example `16:03:08`. The seconds are taken from UTC, because time-zone offsets
 * are whole minutes.
 */
export function formatTimeWithSeconds(at: string, zone: string): string {
  return `${formatTime24(at, zone)}:${String(new Date(at).getUTCSeconds()).padStart(2, '0')}`
}

export function formatDayAndTime(at: string, zone: string): string {
  return `${formatShortDate(dayIn(at, zone))}, ${formatTime24(at, zone)}`
}
