/**
 * The mobile network. `place`, `read`, `sendDonorCode` and `cancel` do not throw for any response of a network.
 * `subscribe` throws when the subscription failed.
 */
export type MobileNetwork = {
  /** Places a service order. A repeat with the same `externalId` returns the current state of the first order. */
  place(order: NetworkOrder): Promise<NetworkAnswer>
  /**
   * Reads an order by our own id. `absent` is a definite "never seen".
   * A response about another line than `line` is `unknown`, and the same holds for the response to `place`.
   * A cancelled order is the exception, because a carrier withdraws a wrong order by cancelling it.
   */
  read(externalId: string, line?: OrderLine): Promise<NetworkAnswer | { outcome: 'absent' }>
  /**
   * Forwards the code that the losing provider has texted to the number. A repeat with the same code changes nothing. `rejected` means a
   * wrong code, or that the network expects no code now.
   */
  sendDonorCode(sent: { externalId: string; code: string }): Promise<NetworkAnswer | { outcome: 'absent' }>
  /**
   * Requests the cancellation of an order. A repeat returns the current state of that request.
   * `askedAt` is an ISO instant and the same on every repeat of a request. A refused cancellation may be requested anew with a new
   * `askedAt`.
   */
  cancel(asking: { externalId: string; askedAt: string }): Promise<CancelAnswer>
  /** Lists the orders of a period. `unknown` if the network did not return a complete list. */
  list(span: { from: Temporal.Instant; until: Temporal.Instant }): Promise<OrderList>
  /** Subscribes to events about changed orders. A repeated subscription is harmless. */
  subscribe(callbackUrl: string): Promise<void>
}

/** A service order for the network. `externalId` is the operation id, the same on every retry of an operation. */
export type NetworkOrder = { externalId: string } & (
  | { kind: 'activate_sim'; iccid: string; msisdn: string }
  | { kind: 'deactivate_sim'; iccid: string; msisdn: string }
  /** `sku` is the product's name at the network. `startsAt` is an ISO instant; absent means at once. */
  | { kind: 'add_plan'; iccid: string; msisdn: string; sku: string; startsAt?: string }
  | { kind: 'add_addon'; iccid: string; msisdn: string; sku: string }
  | { kind: 'remove_plan' | 'remove_addon'; iccid: string; msisdn: string; addedBy: string }
  | {
      kind: 'port_in'
      iccid: string
      msisdn: string
      portingMsisdn: string
      donorProviderId: string
      billingMethod: 'prepay' | 'account'
      donorIccid?: string
      donorAccountNumber?: string
    }
)

export type OrderList = { outcome: 'known'; orders: ListedOrder[] } | { outcome: 'unknown'; why: string }

export type ListedOrder = {
  externalId: string
  orderedAt: Temporal.Instant
  state: KnownOrder['state']
  /** The ICCID and phone number as the network writes them. `null` if the network does not name them. */
  iccid: string | null
  msisdn: string | null
}

export type OrderLine = { iccid?: string; msisdn?: string; portingMsisdn?: string }

export type KnownOrder = {
  outcome: 'known'
  state: 'running' | 'completed' | 'failed'
  subState: string | null
  milestones?: readonly Milestone[]
  /** Set if the order failed. `retryable`: the same order may be placed again with a new `externalId`. */
  fault: { code: string; message: string; retryable: boolean; meaning?: NetworkMeaning } | null
}

export type Milestone = { subState: string; at: string }

export type NetworkMeaning = 'nothing_there' | 'already_active' | 'busy'

export type NetworkAnswer =
  | KnownOrder
  /** The network rejected the order (4xx): nothing was done. */
  | { outcome: 'rejected'; code: string; message: string; meaning?: NetworkMeaning }
  /**
   * The outcome is unknown (timeout, 5xx or no connection): retry with the same `externalId`.
   * `contradiction`, a text for staff: the network names another line under our `externalId`.
   * `unknownState`: the network's word for a state that the product does not know.
   */
  | { outcome: 'unknown'; why: string; contradiction?: string; unknownState?: string }

export type CancelAnswer =
  | { outcome: 'cancelled' }
  | { outcome: 'refused'; code: string; message: string }
  | { outcome: 'undecided' }
  | KnownOrder
  | { outcome: 'absent' }
  | { outcome: 'unknown'; why: string; unknownState?: string }
