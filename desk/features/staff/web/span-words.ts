import { dayIn, shortDay } from '#kit/contract/days.ts'
import { hourOf } from '#kit/web/desk/timeline-days.ts'

export function spanWords(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds * 10) / 10} s`
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`
  if (seconds < 129_600) return `${Math.round(seconds / 3_600)} h`
  return `${Math.round(seconds / 86_400)} days`
}

/** Formats an instant to the second: `16:03:08`. Offsets of time zones are whole minutes. */
export function secondOf(at: string, zone: string): string {
  return `${hourOf(at, zone)}:${String(new Date(at).getUTCSeconds()).padStart(2, '0')}`
}

export function minuteOf(at: string, zone: string): string {
  return `${shortDay(dayIn(at, zone))}, ${hourOf(at, zone)}`
}
