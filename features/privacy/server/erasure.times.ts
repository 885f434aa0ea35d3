export const cancellationPeriodHours = 24

export const postponementHours = 24
export const accountBusyRetryMinutes = 1

/**
 * An erasure is also announced to contact details replaced within this many days, because an attacker who takes over an
 * account would replace them first.
 */
export const replacedContactDays = 30

export const computeErasureDueAt = (askedAt: Temporal.Instant): Temporal.Instant =>
  askedAt.add({ hours: cancellationPeriodHours })
