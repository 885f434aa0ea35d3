import type { Secrets } from './secrets.ts'

/**
 * Returns a keyed hash that represents an IP address in the audit trail and in the operator's views. The hash distinguishes addresses
 * without revealing them.
 */
export const hashIp = (secrets: Secrets, ip: string): string => secrets.hash('address', ip).slice(0, 16)
