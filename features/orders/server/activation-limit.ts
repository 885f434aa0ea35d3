import type { Limit } from '#kit/server/limits.ts'

/**
 * Maximum activations per email address and hour, which bounds how fast an account's list of numbers can grow (decision
 * 0024). A stranger can only use up the limit of somebody's address by paying for each activation, because refused
 * payments are not counted.
 */
export const activationEmailLimit = (email: string): Limit => ({
  key: `activation:email:${email}`,
  times: 100,
  seconds: 3_600,
})
