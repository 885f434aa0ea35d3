import type { Secrets } from './secrets.ts'

/**
 * Returns a keyed hash that stands for an IP address in the audit trail and in the operator's views. The hash tells addresses apart, but
 * the address cannot be read from it.
 */
export const ipHash = (secrets: Secrets, ip: string): string => secrets.hash('address', ip).slice(0, 16)
