export const cancellationHours = 24

export const postponeHours = 24
export const busyRetryMinutes = 1

/**
 * Addresses and numbers that were replaced this recently are also notified, because an attacker who takes over an
 * account replaces them.
 */
export const replacedContactDays = 30

export const erasureDueAt = (askedAt: Temporal.Instant): Temporal.Instant => askedAt.add({ hours: cancellationHours })
