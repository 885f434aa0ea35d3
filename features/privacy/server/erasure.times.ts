/** For so long it can be called off. */
export const waitHours = 24

/** Where something stands in its way at its time, it is looked at again so much later. */
export const putOffHours = 24
/** Where another act about the customer is under way just then. */
export const busyMinutes = 1

/** An address or number that was left so lately is told as well: who has taken an account over has changed them. */
export const leftDays = 30

export const dueAt = (askedAt: Temporal.Instant): Temporal.Instant => askedAt.add({ hours: waitHours })
