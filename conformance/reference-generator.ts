import { randomBytes } from 'node:crypto'

export const referencePrefix = 'CONF-'

export function createReferenceGenerator(): () => string {
  const run = randomBytes(4).toString('hex')
  let count = 0
  return () => `${referencePrefix}${run}-${++count}`
}
