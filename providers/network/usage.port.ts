/** What the network knows of a line's use, in the product's words. Neither call throws for what a network can answer. */
export type NetworkUsage = {
  /** What is left of each allowance that is good now. */
  balances(msisdn: string): Promise<({ outcome: 'known'; balances: Balance[] } | Unknown) & Foreign>
  /** What was used from one instant until before another, oldest first. */
  records(
    msisdn: string,
    from: Temporal.Instant,
    until: Temporal.Instant,
  ): Promise<({ outcome: 'known'; records: UsageRecord[] } | Unknown) & Foreign>
}

/** How much came that does not say that it is of this line, and is left out. */
type Foreign = { foreign: number }

export type UsageType = 'data' | 'voice' | 'sms'

/** Amounts in MB (1000 of them a GB), minutes or messages. Instants are ISO 8601. */
export type Balance = {
  /** The order that brought it, by our operation id; null when the network does not say. */
  operationId: string | null
  sku: string
  type: UsageType
  remaining: number
  from: string
  until: string
}

/** Amounts in MB, seconds or messages; a destination is an MSISDN with its country code and plus. */
export type UsageRecord = { at: string; type: UsageType; amount: number; destination: string | null }

/** Timeout, 5xx, no connection, or an answer that cannot be read. */
type Unknown = { outcome: 'unknown'; why: string }
