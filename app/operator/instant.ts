/**
 * A day, which begins at midnight, or a minute of the zone: `2026-12-01`, `2026-12-01T08:30`. Null for anything else, and
 * for an hour that is not there or comes twice when the clocks change.
 */
export function instantOf(text: string, timeZone: string): Temporal.Instant | null {
  if (!/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d)?$/.test(text)) return null
  try {
    return Temporal.PlainDateTime.from(text, { overflow: 'reject' })
      .toZonedDateTime(timeZone, { disambiguation: 'reject' })
      .toInstant()
  } catch {
    return null
  }
}
