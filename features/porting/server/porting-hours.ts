import type { Market } from '#kit/contract/bootstrap.ts'
import { portingHours } from '../porting-hours.contract.ts'
import { isHoliday } from './holidays.ts'

/** Upper bound in days; no run of days off is longer. */
const longestWait = 14

/** When the other provider starts to process a request made at this instant; `null` means immediately. */
export function lookedAtFrom(
  asked: Temporal.Instant,
  { zone, code }: Pick<Market, 'zone' | 'code'>,
): Temporal.Instant | null {
  const local = asked.toZonedDateTimeISO(zone)
  const time = local.toPlainTime()
  for (let later = 0; later <= longestWait; later++) {
    const day = local.toPlainDate().add({ days: later })
    const hours = hoursOf(day, code)
    if (!hours) continue
    const { opens, closes } = hours
    if (later === 0 && Temporal.PlainTime.compare(time, closes) >= 0) continue
    if (later === 0 && Temporal.PlainTime.compare(time, opens) >= 0) return null
    return day.toZonedDateTime({ timeZone: zone, plainTime: opens }).toInstant()
  }
  throw new Error(`no day of work within ${longestWait} days of ${asked.toString()}`)
}

/** The transfer time promised to customers, in working hours of the providers. */
export const promisedHours = 4

/**
 * The latest request time for which the promised working hours have passed. An open request made then or earlier is
 * late.
 */
export function lateSince(now: Temporal.Instant, { zone, code }: Pick<Market, 'zone' | 'code'>): Temporal.Instant {
  const local = now.toZonedDateTimeISO(zone)
  let left = Temporal.Duration.from({ hours: promisedHours })
  for (let before = 0; before <= longestWait; before++) {
    const day = local.toPlainDate().subtract({ days: before })
    const hours = hoursOf(day, code)
    if (!hours) continue
    const [opens, closes] = [hours.opens, hours.closes].map((plainTime) =>
      day.toZonedDateTime({ timeZone: zone, plainTime }).toInstant(),
    ) as [Temporal.Instant, Temporal.Instant]
    const end = Temporal.Instant.compare(now, closes) < 0 ? now : closes
    if (Temporal.Instant.compare(end, opens) <= 0) continue
    const worked = opens.until(end)
    if (Temporal.Duration.compare(worked, left) >= 0) return end.subtract(left)
    left = left.subtract(worked)
  }
  throw new Error(`no ${promisedHours} hours of work within ${longestWait} days before ${now.toString()}`)
}

function hoursOf(day: Temporal.PlainDate, code: Market['code']) {
  if (isHoliday(day, code)) return null
  const hours = portingHours[code].hours.find(({ days }) => days.includes(day.dayOfWeek))
  return hours && { opens: Temporal.PlainTime.from(hours.opens), closes: Temporal.PlainTime.from(hours.closes) }
}
