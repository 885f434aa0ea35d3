import { dayIn } from '#kit/contract/days.ts'
import { formatDay } from '#kit/contract/moments.ts'
import { localText } from '#kit/contract/local-text.ts'

export type TimelineDay<E> = { day: string; title: string; entries: E[] }

export function daysOf<E extends { at: string }>(
  entries: readonly E[],
  { zone, today }: { zone: string; today: string },
): TimelineDay<E>[] {
  const days = new Map<string, E[]>()
  for (const entry of entries) {
    const day = dayIn(entry.at, zone)
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return [...days].map(([day, entries]) => ({ day, title: titleOf(day, today), entries }))
}

function titleOf(day: string, today: string): string {
  if (day === today) return 'Today'
  const words = formatDay(day, { zone: 'UTC', now: `${today}T00:00:00Z` })
  return day.slice(0, 4) === today.slice(0, 4) || words.endsWith(day.slice(0, 4))
    ? words
    : `${words} ${day.slice(0, 4)}`
}

export const hourOf = (instant: string, zone: string): string => localText(new Date(instant), zone).slice(11, 16)
