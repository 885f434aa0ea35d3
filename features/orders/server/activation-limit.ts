import type { Limit } from '#kit/server/limits.ts'

/**
 * Maximum activation orders per email address and hour. This bounds how fast an account's list of numbers grows
 * (decision 0024). A stranger can only use it up by paying for each activation, because a refused payment is not
 * counted.
 */
export const activationEmailLimit = (email: string): Limit => ({
  key: `activation:email:${email}`,
  times: 100,
  seconds: 3_600,
})
