type PortFailure = 'donor_mismatch' | 'no_reply' | 'said_no'

type PortFailures = Readonly<Record<string, PortFailure>>

export const defaultPortFailures: PortFailures = {
  DONOR_ACCOUNT_MISMATCH: 'donor_mismatch',
  NO_CUSTOMER_REPLY: 'no_reply',
  CUSTOMER_SAID_NO: 'said_no',
}

/**
 * Returns why a number transfer failed; `null` for a code without a meaning for the customer. The carrier's text beside the code is
 * ignored.
 */
export const findPortFailure = (
  code: string | null,
  failures: PortFailures = defaultPortFailures,
): PortFailure | null => (code !== null && Object.hasOwn(failures, code) ? (failures[code] ?? null) : null)
