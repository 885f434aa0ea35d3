import type { Limit } from '#kit/server/limits.ts'

/**
 * Activation orders per email address. It bounds how fast an account's list of numbers grows (decision 0129). A stranger can use
 * it up only by paying for each activation, because a refused payment is not counted.
 */
export const activationLimit = (email: string): Limit => ({
  key: `activation:email:${email}`,
  times: 100,
  seconds: 3_600,
})
