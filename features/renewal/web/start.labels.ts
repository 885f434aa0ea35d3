import { formatDate } from '#kit/contract/dates.ts'
import { getLastDayBefore } from '#kit/contract/days.ts'
import { formatDataAmount, formatDays } from '#kit/contract/plans.ts'
import type { RemainingPlan } from '#kit/contract/remaining-plan.ts'

// Phrases for the part of the current plan that a renewal keeps or gives up. Non-breaking spaces keep amounts and dates on one line.

const insertNonBreakingSpaces = (text: string): string => text.replaceAll(' ', '\u00A0')

export const formatApproximateData = (gb: number): string =>
  insertNonBreakingSpaces(gb >= 1 ? `${Math.round(gb * 10) / 10} GB` : formatDataAmount(gb))

/**
 * Describes what is left of a plan, such as `'50 days and 42.8 GB'`. While the remaining data is unknown, the text
 * mentions the days and the coming cycles.
 */
export function describeRemainingPlan({ days, left, toCome, gb }: RemainingPlan): string {
  const formattedDays = insertNonBreakingSpaces(formatDays(days))
  if (gb && left) return `${formattedDays} and ${formatApproximateData(gb)}`
  return toCome ? `${formattedDays} and ${describeUpcomingData(toCome)}` : formattedDays
}

export const describeRemainingData = ({ left, toCome }: RemainingPlan): string | null =>
  left && toCome ? `${formatApproximateData(left)} left today and ${describeUpcomingData(toCome)}` : null

function describeUpcomingData({ times, gb, on }: NonNullable<RemainingPlan['toCome']>): string {
  const [dataText, day] = [insertNonBreakingSpaces(formatDataAmount(gb)), formatFullDay(on)]
  return times === 1
    ? `the ${dataText} due on ${day}`
    : `${dataText} due ${insertNonBreakingSpaces(`${times} more times`)}, next on ${day}`
}

export const formatFullDay = (day: string): string => insertNonBreakingSpaces(formatDate(day, 'UTC'))
/** Formats the new plan's last day: `'10 Apr 2027'`. `end` is the day after it. */
export const formatLastDay = (end: string): string => formatFullDay(getLastDayBefore(end))
