/** From the first hour of a day on, and until the other. */
export type Hours = { opensAt: number; closesAt: number }

// Nobody is reminded of a plan's end at night.
const ofReminders: Hours = { opensAt: 9, closesAt: 20 }
/** What somebody uses is told from early to late. */
export const hoursOfUse: Hours = { opensAt: 8, closesAt: 21 }

/** When messages may go out again that are not for the night, by the market's day; null: now. */
export function nextOpening(
  now: Temporal.Instant,
  zone: string,
  { opensAt, closesAt }: Hours = ofReminders,
): Temporal.Instant | null {
  const local = now.toZonedDateTimeISO(zone)
  if (local.hour >= opensAt && local.hour < closesAt) return null
  return local
    .toPlainDate()
    .add({ days: local.hour < opensAt ? 0 : 1 })
    .toZonedDateTime({ timeZone: zone, plainTime: { hour: opensAt } })
    .toInstant()
}
