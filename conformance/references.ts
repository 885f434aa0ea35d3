import { randomBytes } from 'node:crypto'

/** Prefix of every reference of the suite, which distinguishes it from the product's references. */
export const prefix = 'CONF-'

/** References that are unique to one run: `CONF-<run>-<n>`. */
export function createReferences(): () => string {
  const run = randomBytes(4).toString('hex')
  let count = 0
  return () => `${prefix}${run}-${++count}`
}
