// Nobody is reminded of a plan's end at night.
const opensAt = 9
const closesAt = 20

/** When reminders may go out again, by the market's day; null: now. */
export function nextOpening(now: Temporal.Instant, zone: string): Temporal.Instant | null {
  const local = now.toZonedDateTimeISO(zone)
  if (local.hour >= opensAt && local.hour < closesAt) return null
  return local
    .toPlainDate()
    .add({ days: local.hour < opensAt ? 0 : 1 })
    .toZonedDateTime({ timeZone: zone, plainTime: { hour: opensAt } })
    .toInstant()
}
