/** Hours of the local day: from `opensAt` on, until before `closesAt`. */
export type Hours = { opensAt: number; closesAt: number }

const ofReminders: Hours = { opensAt: 9, closesAt: 20 }
export const hoursOfUse: Hours = { opensAt: 8, closesAt: 21 }

/** The next instant at which messages that can wait for daytime may go out, in the market's zone; `null` if they may go out now. */
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
