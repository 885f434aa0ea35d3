/**
 * Parses a day (which starts at midnight) or a minute in the time zone: `2026-12-01`, `2026-12-01T08:30`. Returns `null` for anything else,
 * and for times that a clock change skips or repeats.
 */
export function parseLocalInstant(text: string, timeZone: string): Temporal.Instant | null {
  if (!/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d)?$/.test(text)) return null
  try {
    return Temporal.PlainDateTime.from(text, { overflow: 'reject' })
      .toZonedDateTime(timeZone, { disambiguation: 'reject' })
      .toInstant()
  } catch {
    return null
  }
}

/** Maximum length of an instant as text. ISO 8601 text with nanoseconds, an offset and a zone is shorter than this. */
const maxInstantLength = 80

/** Parses an ISO 8601 instant with an offset: `2026-11-23T09:00:00Z`. Returns `null` for anything else. */
export function parseInstant(text: string): Temporal.Instant | null {
  if (text.length > maxInstantLength) return null
  try {
    return Temporal.Instant.from(text)
  } catch {
    return null
  }
}

export function parseFutureInstant(
  text: string,
  timeZone: string,
  now: Temporal.Instant,
): { instant: Temporal.Instant } | { fault: 'none' | 'over' } {
  const instant = parseLocalInstant(text, timeZone)
  if (!instant) return { fault: 'none' }
  return Temporal.Instant.compare(instant, now) > 0 ? { instant } : { fault: 'over' }
}
