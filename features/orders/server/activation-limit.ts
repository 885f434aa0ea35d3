import type { Limit } from '#kit/server/limits.ts'

/**
 * Maximum activations per email address and hour, which limits how fast an account's list of numbers can grow (decision
 * 0024). Activations whose payment is refused are not counted, so a stranger can use up the limit for somebody else's
 * address only by paying for each activation.
 */
export const activationEmailLimit = (email: string): Limit => ({
  key: `activation:email:${email}`,
  times: 100,
  seconds: 3_600,
})
