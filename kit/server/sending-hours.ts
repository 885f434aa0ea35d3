/** Local hours of the day during which messages may be sent: from `opensAt` until just before `closesAt`. */
export type SendingHours = { opensAt: number; closesAt: number }

const defaultSendingHours: SendingHours = { opensAt: 9, closesAt: 20 }
export const usageMessageHours: SendingHours = { opensAt: 8, closesAt: 21 }

/** Returns when messages that can wait for daytime may next be sent in the market's zone, or `null` if they may be sent now. */
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
