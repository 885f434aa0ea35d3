import { monthNames, weekdayNames } from './dates.ts'
import { localText } from './local-text.ts'

const dayMs = 86_400_000

// Calendar days as `YYYY-MM-DD`, counted and spelt without Temporal, which not every browser has.

/**
 * The day of an ISO 8601 instant in a zone.
 * @throws RangeError when it is no instant
 */
export const dayIn = (instant: string, zone: string): string => localText(new Date(instant), zone).slice(0, 10)

/** So many days later. */
export const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

/** Days from one to another: 1 from a day to the next. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs

/** In full, `'Mon 11 Jan 2027'`. */
export function fullDay(day: string): string {
  const date = new Date(day)
  return `${weekdayNames[date.getUTCDay()]} ${shortDay(day)} ${date.getUTCFullYear()}`
}

/** Where there is little room, `'11 Jan'`. */
export function shortDay(day: string): string {
  const date = new Date(day)
  return `${date.getUTCDate()} ${monthNames[date.getUTCMonth()]}`
}

/** The last day on which what ends at midnight still works. */
export const lastDayBefore = (end: string): string => plusDays(end, -1)
