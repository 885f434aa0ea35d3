import { fullDay, lastDayBefore, shortDay } from '#kit/contract/days.ts'
import { formatData, formatDays } from '#kit/contract/plans.ts'
import type { RestOfPlan } from '#kit/contract/rest-of-plan.ts'

// What a renewal keeps of the present plan, and gives up. Amounts and dates never break inside.

const together = (words: string): string => words.replaceAll(' ', '\u00A0')

/** Data as people speak of it, to a tenth of a GB. */
export const roughData = (gb: number): string => together(gb >= 1 ? `${Math.round(gb * 10) / 10} GB` : formatData(gb))

/** All that is still to come: `'50 days and 42.8 GB'`; while it is not known what is left, its days and its cycles. */
export function restInWords({ days, left, toCome, gb }: RestOfPlan): string {
  const inDays = together(formatDays(days))
  if (gb && left) return `${inDays} and ${roughData(gb)}`
  return toCome ? `${inDays} and ${dueInWords(toCome)}` : inDays
}

/** What that is made of, when it is of two parts: `'17.8 GB left today and the 25 GB due on 12 Dec'`. */
export const partsInWords = ({ left, toCome }: RestOfPlan): string | null =>
  left && toCome ? `${roughData(left)} left today and ${dueInWords(toCome)}` : null

function dueInWords({ times, gb, on }: NonNullable<RestOfPlan['toCome']>): string {
  const [data, day] = [together(formatData(gb)), together(shortDay(on))]
  return times === 1 ? `the ${data} due on ${day}` : `${data} due ${together(`${times} more times`)}, next on ${day}`
}

/** The new plan's last day, `'Sat 10 Apr 2027'`: `end` is the day at whose beginning it has ended. */
export const lastDayInWords = (end: string): string => together(fullDay(lastDayBefore(end)))
export const dayInWords = (day: string): string => together(fullDay(day))
export const shortDayInWords = (day: string): string => together(shortDay(day))
