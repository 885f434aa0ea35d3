/** Hours of the local day in which messages may go out: from `opensAt` on, until before `closesAt`. */
export type SendingHours = { opensAt: number; closesAt: number }

const defaultSendingHours: SendingHours = { opensAt: 9, closesAt: 20 }
export const usageMessageHours: SendingHours = { opensAt: 8, closesAt: 21 }

/** Returns the next instant at which messages that can wait for daytime may go out in the market's zone; `null` if they may go out now. */
export function computeNextSendingTime(
  now: Temporal.Instant,
  zone: string,
  { opensAt, closesAt }: SendingHours = defaultSendingHours,
): Temporal.Instant | null {
  const local = now.toZonedDateTimeISO(zone)
  if (local.hour >= opensAt && local.hour < closesAt) return null
  return local
    .toPlainDate()
    .add({ days: local.hour < opensAt ? 0 : 1 })
    .toZonedDateTime({ timeZone: zone, plainTime: { hour: opensAt } })
    .toInstant()
}
