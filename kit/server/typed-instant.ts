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

/** ISO 8601 with nanoseconds, an offset and a zone is shorter. */
const longestInstant = 80

/** An instant in ISO 8601, with its offset: `2026-11-23T09:00:00Z`. Null for anything else. */
export function readInstant(text: string): Temporal.Instant | null {
  if (text.length > longestInstant) return null
  try {
    return Temporal.Instant.from(text)
  } catch {
    return null
  }
}

/** The same as `instantOf`, where it has to be to come. */
export function instantToCome(
  text: string,
  timeZone: string,
  now: Temporal.Instant,
): { instant: Temporal.Instant } | { fault: 'none' | 'over' } {
  const instant = instantOf(text, timeZone)
  if (!instant) return { fault: 'none' }
  return Temporal.Instant.compare(instant, now) > 0 ? { instant } : { fault: 'over' }
}
