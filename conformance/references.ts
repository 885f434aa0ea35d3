import { randomBytes } from 'node:crypto'

export const prefix = 'CONF-'

export function createReferences(): () => string {
  const run = randomBytes(4).toString('hex')
  let count = 0
  return () => `${prefix}${run}-${++count}`
}
