import type { Secrets } from './secrets.ts'

/**
 * What stands for an address where one has to be told from another: in the audit trail, and in what the operator sees. The
 * address cannot be read from it.
 */
export const ipHash = (secrets: Secrets, ip: string): string => secrets.hash('address', ip).slice(0, 16)
