export const cancellationHours = 24

export const postponeHours = 24
export const busyRetryMinutes = 1

/**
 * Contact details that were replaced within this many days are also notified of an erasure, because an attacker who
 * takes over an account replaces them.
 */
export const replacedContactDays = 30

export const erasureDueAt = (askedAt: Temporal.Instant): Temporal.Instant => askedAt.add({ hours: cancellationHours })
