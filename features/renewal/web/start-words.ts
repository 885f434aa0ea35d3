import { fullDay, lastDayBefore, shortDay } from '#kit/contract/days.ts'
import { formatData, formatDays } from '#kit/contract/plans.ts'
import type { RestOfPlan } from '#kit/contract/rest-of-plan.ts'

// Phrases for the part of the current plan that a renewal keeps or gives up. Amounts and dates contain no line breaks.

const together = (words: string): string => words.replaceAll(' ', '\u00A0')

export const roughData = (gb: number): string => together(gb >= 1 ? `${Math.round(gb * 10) / 10} GB` : formatData(gb))

/** The rest of a plan: `'50 days and 42.8 GB'`. While the remaining data is unknown: its days and cycles. */
export function restInWords({ days, left, toCome, gb }: RestOfPlan): string {
  const inDays = together(formatDays(days))
  if (gb && left) return `${inDays} and ${roughData(gb)}`
  return toCome ? `${inDays} and ${dueInWords(toCome)}` : inDays
}

export const partsInWords = ({ left, toCome }: RestOfPlan): string | null =>
  left && toCome ? `${roughData(left)} left today and ${dueInWords(toCome)}` : null

function dueInWords({ times, gb, on }: NonNullable<RestOfPlan['toCome']>): string {
  const [data, day] = [together(formatData(gb)), together(shortDay(on))]
  return times === 1 ? `the ${data} due on ${day}` : `${data} due ${together(`${times} more times`)}, next on ${day}`
}

/** The new plan's last day, `'Sat 10 Apr 2027'`. `end` is the following day. */
export const lastDayInWords = (end: string): string => together(fullDay(lastDayBefore(end)))
export const dayInWords = (day: string): string => together(fullDay(day))
export const shortDayInWords = (day: string): string => together(shortDay(day))
