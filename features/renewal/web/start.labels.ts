import { formatDate } from '#kit/contract/dates.ts'
import { lastDayBefore } from '#kit/contract/days.ts'
import { formatData, formatDays } from '#kit/contract/plans.ts'
import type { RemainingPlan } from '#kit/contract/remaining-plan.ts'

// Phrases for the part of the current plan that a renewal keeps or gives up. Non-breaking spaces keep amounts and dates on one line.

const withNoBreakSpaces = (text: string): string => text.replaceAll(' ', '\u00A0')

export const approximateData = (gb: number): string =>
  withNoBreakSpaces(gb >= 1 ? `${Math.round(gb * 10) / 10} GB` : formatData(gb))

/**
 * Describes what is left of a plan, such as `'50 days and 42.8 GB'`. While the remaining data is unknown, the text
 * mentions the days and the coming cycles.
 */
export function remainingPlanSentence({ days, left, toCome, gb }: RemainingPlan): string {
  const daysText = withNoBreakSpaces(formatDays(days))
  if (gb && left) return `${daysText} and ${approximateData(gb)}`
  return toCome ? `${daysText} and ${dueSentence(toCome)}` : daysText
}

export const remainingPartsSentence = ({ left, toCome }: RemainingPlan): string | null =>
  left && toCome ? `${approximateData(left)} left today and ${dueSentence(toCome)}` : null

function dueSentence({ times, gb, on }: NonNullable<RemainingPlan['toCome']>): string {
  const [dataText, day] = [withNoBreakSpaces(formatData(gb)), formatFullDay(on)]
  return times === 1
    ? `the ${dataText} due on ${day}`
    : `${dataText} due ${withNoBreakSpaces(`${times} more times`)}, next on ${day}`
}

export const formatFullDay = (day: string): string => withNoBreakSpaces(formatDate(day, 'UTC'))
/** Formats the new plan's last day: `'10 Apr 2027'`. `end` is the day after it. */
export const formatLastDay = (end: string): string => formatFullDay(lastDayBefore(end))
