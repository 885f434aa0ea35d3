/**
 * The mobile network, in the product's words. `place`, `read`, `sendDonorCode` and `cancel` throw for nothing that a network can answer;
 * `subscribe` throws when it failed.
 */
export type MobileNetwork = {
  /** Places a service order. The same `externalId` repeated answers the first order's present state. */
  place(order: NetworkOrder): Promise<NetworkAnswer>
  /**
   * Reads an order by our own id; `absent` is a definite "never seen". An answer about another line than `line` is `unknown`, as is that of
   * `place` to an order of ours; unless that order is cancelled, by which a carrier withdraws it.
   */
  read(externalId: string, line?: OrderLine): Promise<NetworkAnswer | { outcome: 'absent' }>
  /** Hands on the code that the donor of a port has texted to its number. The same again changes nothing; `rejected` is another's. */
  sendDonorCode(sent: { externalId: string; code: string }): Promise<NetworkAnswer | { outcome: 'absent' }>
  /**
   * Asks that an order be called off, and, repeated, how that stands. `askedAt`, an ISO instant, is the same on every repeat of one
   * asking: one that was refused may be asked anew.
   */
  cancel(asking: { externalId: string; askedAt: string }): Promise<CancelAnswer>
  /** Every order that the network took from us in this span, as far as it tells; `unknown` when it did not tell all of them. */
  list(span: { from: Temporal.Instant; until: Temporal.Instant }): Promise<OrderList>
  /** Asks the network to call back on changes; repeating it is harmless. */
  subscribe(callbackUrl: string): Promise<void>
}

/** `externalId` is the operation id: the same on every repeat of one operation. */
export type NetworkOrder = { externalId: string } & (
  | { kind: 'activate_sim'; iccid: string; msisdn: string }
  /** Also the delete of what `activate_sim` made. */
  | { kind: 'deactivate_sim'; iccid: string; msisdn: string }
  /** `sku`: the product, as the network names it. `startsAt`: ISO instant, absent = at once. */
  | { kind: 'add_plan'; iccid: string; msisdn: string; sku: string; startsAt?: string }
  | { kind: 'add_addon'; iccid: string; msisdn: string; sku: string }
  /** The delete of what the order `addedBy`, one of ours, has added. */
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
  /** As the network writes them; `null` where it does not name them. */
  iccid: string | null
  msisdn: string | null
}

/** The SIM and the number that an order is about, as far as the caller knows them. */
export type OrderLine = { iccid?: string; msisdn?: string; portingMsisdn?: string }

export type KnownOrder = {
  outcome: 'known'
  state: 'running' | 'completed' | 'failed'
  /** A port's own sub-state, as the network words it. */
  subState: string | null
  /** Of a port, and as far as the network tells: the sub-states that it has come to, and the ISO instants at which it did. */
  milestones?: readonly Milestone[]
  /** Set when failed. `retryable`: the same thing may be ordered again, with a new externalId. */
  fault: { code: string; message: string; retryable: boolean; meaning?: NetworkMeaning } | null
}

export type Milestone = { subState: string; at: string }

/** What was to be taken away is not there; the SIM is active; the line is busy with another order. Codes are the carrier's own. */
export type NetworkMeaning = 'nothing_there' | 'already_active' | 'busy'

export type NetworkAnswer =
  | KnownOrder
  /** The order was refused outright (4xx): nothing was done. */
  | { outcome: 'rejected'; code: string; message: string; meaning?: NetworkMeaning }
  /**
   * Timeout, 5xx, no connection: repeat with the same externalId. `contradiction`: the network names another line under our externalId,
   * in words for a person. `unknownState`: its own word for a state that the product does not know.
   */
  | { outcome: 'unknown'; why: string; contradiction?: string; unknownState?: string }

export type CancelAnswer =
  /** Called off: nothing more of it will happen. */
  | { outcome: 'cancelled' }
  /** A definite no: the order goes on. */
  | { outcome: 'refused'; code: string; message: string }
  /** The network has not decided yet. */
  | { outcome: 'undecided' }
  /** It had come to its end before, in another way. */
  | KnownOrder
  /** A definite "never seen": there is nothing to call off. */
  | { outcome: 'absent' }
  /** As of orders: repeat with the same `askedAt`. */
  | { outcome: 'unknown'; why: string; unknownState?: string }
