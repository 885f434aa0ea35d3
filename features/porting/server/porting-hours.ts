import type { Market } from '#kit/contract/bootstrap.ts'
import { portingHours } from '../porting-hours.contract.ts'
import { isPublicHoliday } from './public-holidays.ts'

/** Maximum number of consecutive days without transfer processing, whatever the weekends and holidays. */
const maxDaysOff = 14

/**
 * Returns the time at which the other provider will start to process a transfer request made at `requestedAt`; `null`
 * means immediately.
 */
export function findProcessingStart(
  requestedAt: Temporal.Instant,
  { zone, code }: Pick<Market, 'zone' | 'code'>,
): Temporal.Instant | null {
  const localTime = requestedAt.toZonedDateTimeISO(zone)
  const time = localTime.toPlainTime()
  for (let daysLater = 0; daysLater <= maxDaysOff; daysLater++) {
    const day = localTime.toPlainDate().add({ days: daysLater })
    const hours = findWorkingHours(day, code)
    if (!hours) continue
    const { opens, closes } = hours
    if (daysLater === 0 && Temporal.PlainTime.compare(time, closes) >= 0) continue
    if (daysLater === 0 && Temporal.PlainTime.compare(time, opens) >= 0) return null
    return day.toZonedDateTime({ timeZone: zone, plainTime: opens }).toInstant()
  }
  throw new Error(`no day of work within ${maxDaysOff} days of ${requestedAt.toString()}`)
}

/** The duration of a transfer that we promise to customers, in working hours of the other provider. */
export const promisedWorkingHours = 4

/**
 * Returns the latest request time for which the promised working hours have now passed. An open transfer requested then
 * or earlier is late.
 */
export function computeLateRequestCutoff(
  now: Temporal.Instant,
  { zone, code }: Pick<Market, 'zone' | 'code'>,
): Temporal.Instant {
  const localNow = now.toZonedDateTimeISO(zone)
  let remaining = Temporal.Duration.from({ hours: promisedWorkingHours })
  for (let daysBefore = 0; daysBefore <= maxDaysOff; daysBefore++) {
    const day = localNow.toPlainDate().subtract({ days: daysBefore })
    const hours = findWorkingHours(day, code)
    if (!hours) continue
    const [opens, closes] = [hours.opens, hours.closes].map((plainTime) =>
      day.toZonedDateTime({ timeZone: zone, plainTime }).toInstant(),
    ) as [Temporal.Instant, Temporal.Instant]
    const end = Temporal.Instant.compare(now, closes) < 0 ? now : closes
    if (Temporal.Instant.compare(end, opens) <= 0) continue
    const workedDuration = opens.until(end)
    if (Temporal.Duration.compare(workedDuration, remaining) >= 0) return end.subtract(remaining)
    remaining = remaining.subtract(workedDuration)
  }
  throw new Error(`no ${promisedWorkingHours} hours of work within ${maxDaysOff} days before ${now.toString()}`)
}

function findWorkingHours(day: Temporal.PlainDate, code: Market['code']) {
  if (isPublicHoliday(day, code)) return null
  const hours = portingHours[code].hours.find(({ days }) => days.includes(day.dayOfWeek))
  return hours && { opens: Temporal.PlainTime.from(hours.opens), closes: Temporal.PlainTime.from(hours.closes) }
}
