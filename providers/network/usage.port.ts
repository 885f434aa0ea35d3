/** Reads balances and usage from the network. Neither method throws, whatever the network's response. */
export type NetworkUsage = {
  balances(msisdn: string): Promise<({ outcome: 'known'; balances: Balance[] } | UnknownOutcome) & ForeignItemCount>
  /** Returns usage from `from` (inclusive) to `until` (exclusive), oldest first. */
  records(
    msisdn: string,
    from: Temporal.Instant,
    until: Temporal.Instant,
  ): Promise<({ outcome: 'known'; records: UsageRecord[] } | UnknownOutcome) & ForeignItemCount>
}

type ForeignItemCount = { foreign: number }

export type UsageType = 'data' | 'voice' | 'sms'

/** What is left of an allowance. Amounts are in MB (1000 MB are one GB), minutes or messages. Instants are ISO 8601. */
export type Balance = {
  /** Operation id of our order that added the allowance; `null` if the network does not return it. */
  operationId: string | null
  sku: string
  type: UsageType
  remaining: number
  from: string
  until: string
}

/**
 * One use of the line. Amounts are in MB, seconds or messages. `destination` is an MSISDN with plus and country code, or a short code as
 * dialled.
 */
export type UsageRecord = { at: string; type: UsageType; amount: number; destination: string | null }

type UnknownOutcome = { outcome: 'unknown'; why: string }
