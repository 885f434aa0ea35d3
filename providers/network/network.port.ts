/**
 * The mobile network. `place`, `read`, `sendDonorCode` and `cancel` do not throw, whatever the network's response. `subscribe` throws if
 * the subscription fails.
 */
export type MobileNetwork = {
  /** Places a service order. A repeated request with the same `externalId` returns the first order's current state. */
  place(order: NetworkOrder): Promise<NetworkAnswer>
  /**
   * Reads an order by our own id. `absent` means that the network has definitely never seen it. If the response is about a line other than
   * `line`, the outcome is `unknown`; the same applies to `place`. Cancelled orders are the exception, because a carrier withdraws a wrong
   * order by cancelling it.
   */
  read(externalId: string, line?: LineIdentifiers): Promise<NetworkAnswer | { outcome: 'absent' }>
  /**
   * Forwards the code that the losing provider texted to the number. Repeating it with the same code changes nothing. `rejected` means that
   * the code is wrong, or that the network is not waiting for a code.
   */
  sendDonorCode(sent: { externalId: string; code: string }): Promise<NetworkAnswer | { outcome: 'absent' }>
  /**
   * Requests the cancellation of an order. A repeated request returns the current state of the cancellation. `askedAt` is an ISO instant
   * that stays the same whenever a request is repeated. After a refusal, the cancellation may be requested again with a new `askedAt`.
   */
  cancel(asking: { externalId: string; askedAt: string }): Promise<CancellationOutcome>
  /** Lists the orders placed in a period. `unknown` if the network did not return a complete list. */
  list(span: { from: Temporal.Instant; until: Temporal.Instant }): Promise<OrderList>
  /** Subscribes to events about changed orders. Subscribing again is harmless. */
  subscribe(callbackUrl: string): Promise<void>
}

/** A service order for the network. `externalId` is the operation id, which stays the same on every retry. */
export type NetworkOrder = { externalId: string } & (
  | { kind: 'activate_sim'; iccid: string; msisdn: string }
  | { kind: 'deactivate_sim'; iccid: string; msisdn: string }
  /** `sku` is the network's name for the plan. `startsAt` is an ISO instant; if absent, the plan starts immediately. */
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
  /** The ICCID and phone number as the network writes them; `null` if the order does not contain them. */
  iccid: string | null
  msisdn: string | null
}

export type LineIdentifiers = { iccid?: string; msisdn?: string; portingMsisdn?: string }

export type KnownOrder = {
  outcome: 'known'
  state: 'running' | 'completed' | 'failed'
  subState: string | null
  milestones?: readonly Milestone[]
  /** Set if the order failed. `retryable`: the same order may be placed again with a new `externalId`. */
  fault: { code: string; message: string; retryable: boolean; meaning?: RejectionCause } | null
}

export type Milestone = { subState: string; at: string }

export type RejectionCause = 'nothing_there' | 'already_active' | 'busy'

export type NetworkAnswer =
  | KnownOrder
  /** The network rejected the order (4xx) and did nothing. */
  | { outcome: 'rejected'; code: string; message: string; meaning?: RejectionCause }
  /**
   * The outcome is unknown (timeout, 5xx or no connection): retry with the same `externalId`. `contradiction`, which is text for staff: the
   * network has a different line under our `externalId`. `unknownState`: the network's term for a state that Fantail does not know.
   */
  | { outcome: 'unknown'; why: string; contradiction?: string; unknownState?: string }

export type CancellationOutcome =
  | { outcome: 'cancelled' }
  | { outcome: 'refused'; code: string; message: string }
  | { outcome: 'undecided' }
  | KnownOrder
  | { outcome: 'absent' }
  | { outcome: 'unknown'; why: string; unknownState?: string }
