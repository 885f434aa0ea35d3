import { dayIn } from '#kit/contract/days.ts'
import { formatDay } from '#kit/contract/format-moment.ts'
import { formatLocalDateTime } from '#kit/contract/local-date-time.ts'

export type TimelineDay<E> = { day: string; title: string; entries: E[] }

export function groupByDay<E extends { at: string }>(
  entries: readonly E[],
  { zone, today }: { zone: string; today: string },
): TimelineDay<E>[] {
  const days = new Map<string, E[]>()
  for (const entry of entries) {
    const day = dayIn(entry.at, zone)
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return [...days].map(([day, entries]) => ({ day, title: formatDayTitle(day, today), entries }))
}

function formatDayTitle(day: string, today: string): string {
  if (day === today) return 'Today'
  const formattedDay = formatDay(day, { zone: 'UTC', now: `${today}T00:00:00Z` })
  return day.slice(0, 4) === today.slice(0, 4) || formattedDay.endsWith(day.slice(0, 4))
    ? formattedDay
    : `${formattedDay} ${day.slice(0, 4)}`
}

export const formatTime24 = (instant: string, zone: string): string =>
  formatLocalDateTime(new Date(instant), zone).slice(11, 16)
