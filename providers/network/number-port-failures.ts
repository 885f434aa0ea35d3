type PortFailure = 'donor_mismatch' | 'no_reply' | 'said_no'

type PortFailureTable = Readonly<Record<string, PortFailure>>

export const defaultPortFailures: PortFailureTable = {
  DONOR_ACCOUNT_MISMATCH: 'donor_mismatch',
  NO_CUSTOMER_REPLY: 'no_reply',
  CUSTOMER_SAID_NO: 'said_no',
}

/**
 * Returns why a number transfer failed, or `null` for a code that means nothing to the customer. The carrier's accompanying text is
 * ignored.
 */
export const findPortFailure = (
  code: string | null,
  failures: PortFailureTable = defaultPortFailures,
): PortFailure | null => (code !== null && Object.hasOwn(failures, code) ? (failures[code] ?? null) : null)
