import { randomBytes } from 'node:crypto'

/** What every reference of the suite begins with, so that anybody can tell them from the product's. */
export const prefix = 'CONF-'

/** References of one run, which no other run has: `CONF-<run>-<n>`. */
export function createReferences(): () => string {
  const run = randomBytes(4).toString('hex')
  let count = 0
  return () => `${prefix}${run}-${++count}`
}
