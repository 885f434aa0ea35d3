export const waitHours = 24

export const putOffHours = 24
export const busyMinutes = 1

/**
 * Addresses and numbers that were replaced this recently are also notified, because an attacker who takes over an
 * account replaces them.
 */
export const leftDays = 30

export const dueAt = (askedAt: Temporal.Instant): Temporal.Instant => askedAt.add({ hours: waitHours })
