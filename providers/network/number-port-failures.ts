/** Why a number was not ported, as far as its customer can do something about it. */
type PortFailure = 'donor_mismatch' | 'no_reply' | 'said_no'

/** What each fault code of a network's port orders means. Carriers deviate: this is configuration. */
type PortFailures = Readonly<Record<string, PortFailure>>

/** The codes of the orders that tmf.ts reads. */
export const defaultPortFailures: PortFailures = {
  DONOR_ACCOUNT_MISMATCH: 'donor_mismatch',
  NO_CUSTOMER_REPLY: 'no_reply',
  CUSTOMER_SAID_NO: 'said_no',
}

/** Null for a code that says nothing to a customer. What the carrier writes beside it is read by nobody. */
export const failureOfPortOrder = (
  code: string | null,
  failures: PortFailures = defaultPortFailures,
): PortFailure | null => (code !== null && Object.hasOwn(failures, code) ? (failures[code] ?? null) : null)
