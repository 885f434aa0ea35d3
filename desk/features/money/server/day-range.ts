import type { Clock } from '#kit/server/clock.ts'
import { badRequest } from '#kit/server/http-error.ts'
import { dayRangeMessages, maxDownloadDays } from '../money.contract.ts'

export type DayRange = { from: Temporal.PlainDate; to: Temporal.PlainDate }

export const currentDay = ({ clock, zone }: { clock: Clock; zone: string }): Temporal.PlainDate =>
  clock.now().toZonedDateTimeISO(zone).toPlainDate()

/**
 * Parses the range of days that a file covers.
 * @throws 400 for an invalid range, too many days, or a future day
 */
export function parseDayRange(range: { from: string; to: string }, today: Temporal.PlainDate): DayRange {
  const days = { from: Temporal.PlainDate.from(range.from), to: Temporal.PlainDate.from(range.to) }
  if (Temporal.PlainDate.compare(days.from, days.to) > 0) throw badRequest({ to: [dayRangeMessages.order] })
  if (Temporal.PlainDate.compare(days.to, today) > 0) throw badRequest({ to: [dayRangeMessages.future] })
  if (lengthInDays(days) > maxDownloadDays) throw badRequest({ to: [dayRangeMessages.tooMany] })
  return days
}

/** Returns the number of days in a range, including its first and last day. */
export const lengthInDays = ({ from, to }: DayRange): number => from.until(to, { largestUnit: 'days' }).days + 1
