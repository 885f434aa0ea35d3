/** Usage data of the mobile network. Neither call throws for any response of a network. */
export type NetworkUsage = {
  /** The remaining amount of each allowance that is valid now. */
  balances(msisdn: string): Promise<({ outcome: 'known'; balances: Balance[] } | Unknown) & Foreign>
  /** Usage from `from` (inclusive) until `until` (exclusive), oldest first. */
  records(
    msisdn: string,
    from: Temporal.Instant,
    until: Temporal.Instant,
  ): Promise<({ outcome: 'known'; records: UsageRecord[] } | Unknown) & Foreign>
}

/** The number of received items that do not name this line. They are left out. */
type Foreign = { foreign: number }

export type UsageType = 'data' | 'voice' | 'sms'

/** Amounts in MB (1000 MB are one GB), minutes or messages. Instants are ISO 8601. */
export type Balance = {
  /** Operation id of our order that added the allowance. `null` if the network does not tell. */
  operationId: string | null
  sku: string
  type: UsageType
  remaining: number
  from: string
  until: string
}

/** Amounts in MB, seconds or messages. `destination` is an MSISDN with plus and country code, or a short code as dialled. */
export type UsageRecord = { at: string; type: UsageType; amount: number; destination: string | null }

/** Timeout, 5xx, no connection, or an unreadable response. */
type Unknown = { outcome: 'unknown'; why: string }
