import type { CardType } from '#kit/contract/card-types.ts'

/** The card gateway. Amounts are integer cents. No method throws for any response of the gateway. */
export type CardGateway = {
  /** A repeat with the same idempotency key returns the first outcome. */
  authorise(payment: CardPayment): Promise<AuthoriseOutcome>
  /** Captures reserved money. `received` means that the gateway has accepted the request. The result arrives by webhook. */
  capture(modification: Modification & { amount: number; currency: string }): Promise<ModificationOutcome>
  cancel(modification: Modification): Promise<ModificationOutcome>
  refund(modification: Modification & { amount: number; currency: string }): Promise<ModificationOutcome>
  /** Cancels by our own reference, for a payment whose request was sent and got no response. */
  technicalCancel(modification: {
    originalReference: string
    reference: string
    idempotencyKey: string
  }): Promise<ModificationOutcome>
  disable(card: { storedId: string; shopperReference: string; idempotencyKey: string }): Promise<DisableOutcome>
}

export type CardPayment = {
  /** The attempt's reference, `<order_code>-<n>`. It is never reused. */
  reference: string
  /** At most 64 characters. Every retry of this attempt uses the same key. */
  idempotencyKey: string
  /** Cents. 0 only stores the card. */
  amount: number
  currency: string
  shopperReference: string
  shopperEmail: string
  shopperIp?: string
  card: { encrypted: string } | { storedId: string }
  store: boolean
}

export type CardDetails = {
  /**
   * `other` is a type that no provider can accept. `null`: the gateway gives no type, or names a network that the product does not know.
   */
  type: CardType | 'other' | null
  /** `isKnown`: whether the product knows this name. Absent if the gateway gives no name. */
  network?: { name: string; isKnown: boolean }
  lastFour: string | null
  /** `MM/YYYY`. */
  expiry: string | null
  holderName: string | null
  storedId: string | null
}

export type AuthoriseOutcome =
  | { outcome: 'authorised'; pspReference: string; card: CardDetails }
  /** A definite refusal. `reason` is for the log and the operator, never for the customer. */
  | { outcome: 'refused'; pspReference: string | null; reason: string }
  | { outcome: 'pending'; pspReference: string; card: CardDetails }
  /** The card details are invalid, or the stored card no longer exists. Nothing was reserved. */
  | { outcome: 'invalid'; code: string }
  /** The gateway rejected the request because of our key, clock or setting. Nothing was reserved. */
  | ({ outcome: 'fault' } & GatewayFault)
  /** No response, a 5xx, or a duplicate still in progress (704). Retry with the same idempotency key. */
  | Unknown

export type GatewayFault = { code: string; message: string }

type Unknown = {
  outcome: 'unknown'
  why: string
  unknownResult?: string
  /** The gateway rejected our credentials. This call did nothing, but an earlier attempt may have succeeded. */
  lockedOut?: GatewayFault
}

export type Modification = {
  originalReference: string
  reference: string
  idempotencyKey: string
}

export type ModificationOutcome =
  | { outcome: 'received'; pspReference: string }
  | { outcome: 'refused'; code: string; message: string }
  | Unknown

export type DisableOutcome =
  /** The card is deleted, by this call or an earlier one. */
  { outcome: 'disabled' } | { outcome: 'refused'; code: string } | Unknown

/** A notification of the gateway, with signature and merchant account verified. */
export type CardNotification = {
  eventCode: string
  success: boolean
  pspReference: string
  originalReference: string
  merchantReference: string
  amount: number
  currency: string
  /** Not signed: for the log and the operator only. */
  reason: string
  /** Deadline for defending a dispute. Not signed, so use the date only to tell staff when to act, never for a decision. */
  dueAt: Temporal.Instant | null
  /** The payment's card, and the shopper reference of its holder. Not signed, so use these details only where no response gave them. */
  card: CardDetails & { shopperReference: string | null }
}
