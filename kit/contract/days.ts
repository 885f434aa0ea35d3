import { monthNames, weekdayNames } from './dates.ts'
import { formatLocalDateTime } from './local-date-time.ts'

const dayMs = 86_400_000

// Calendar days are strings in the form `YYYY-MM-DD`. This file avoids Temporal, which some browsers lack.

/**
 * Returns an ISO 8601 instant's calendar day in a time zone.
 * @throws RangeError for an invalid instant
 */
export const dayIn = (instant: string, zone: string): string =>
  formatLocalDateTime(new Date(instant), zone).slice(0, 10)

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs

export function formatLongDate(day: string): string {
  const date = new Date(day)
  return `${weekdayNames[date.getUTCDay()]} ${formatShortDate(day)} ${date.getUTCFullYear()}`
}

export function formatShortDate(day: string): string {
  const date = new Date(day)
  return `${date.getUTCDate()} ${monthNames[date.getUTCMonth()]}`
}

export const getLastDayBefore = (end: string): string => addDays(end, -1)
