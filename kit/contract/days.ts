import { monthNames, weekdayNames } from './dates.ts'
import { localText } from './local-text.ts'

const dayMs = 86_400_000

// Calendar days are `YYYY-MM-DD`. The functions do not need Temporal, which some browsers lack.

/**
 * The day of an ISO 8601 instant in a zone.
 * @throws RangeError for an invalid instant
 */
export const dayIn = (instant: string, zone: string): string => localText(new Date(instant), zone).slice(0, 10)

export const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs

export function fullDay(day: string): string {
  const date = new Date(day)
  return `${weekdayNames[date.getUTCDay()]} ${shortDay(day)} ${date.getUTCFullYear()}`
}

export function shortDay(day: string): string {
  const date = new Date(day)
  return `${date.getUTCDate()} ${monthNames[date.getUTCMonth()]}`
}

export const lastDayBefore = (end: string): string => plusDays(end, -1)
