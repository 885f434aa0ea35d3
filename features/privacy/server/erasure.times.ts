/** Hours between the request and the erasure, in which the customer can cancel it. */
export const waitHours = 24

/** Delay of an erasure that has an obstacle. */
export const putOffHours = 24
/** Delay when another operation on the customer is in progress. */
export const busyMinutes = 1

/**
 * Addresses and numbers that were replaced this recently are also notified, because an attacker who takes over an
 * account replaces them.
 */
export const leftDays = 30

export const dueAt = (askedAt: Temporal.Instant): Temporal.Instant => askedAt.add({ hours: waitHours })
