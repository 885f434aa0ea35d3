export const cancellationHours = 24

export const postponeHours = 24
export const busyRetryMinutes = 1

/**
 * An erasure is also announced to contact details replaced within this many days, because an attacker who takes over an
 * account would replace them first.
 */
export const replacedContactDays = 30

export const erasureDueAt = (askedAt: Temporal.Instant): Temporal.Instant => askedAt.add({ hours: cancellationHours })
