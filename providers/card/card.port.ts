import type { CardType } from '#kit/contract/card-types.ts'

/** The card gateway. Amounts are integer cents. No method throws, whatever the gateway's response. */
export type CardGateway = {
  /** Authorises a payment. A repeated request with the same idempotency key returns the first outcome. */
  authorise(payment: CardPayment): Promise<AuthorisationOutcome>
  /** Captures reserved money. `received` means that the gateway has accepted the request; the result arrives by webhook. */
  capture(modification: Modification & { amount: number; currency: string }): Promise<ModificationOutcome>
  cancel(modification: Modification): Promise<ModificationOutcome>
  refund(modification: Modification & { amount: number; currency: string }): Promise<ModificationOutcome>
  /** Cancels a payment by our own reference, for a request that was sent but got no response. */
  technicalCancel(modification: {
    originalReference: string
    reference: string
    idempotencyKey: string
  }): Promise<ModificationOutcome>
  disable(card: { storedId: string; shopperReference: string; idempotencyKey: string }): Promise<CardRemovalOutcome>
}

export type CardPayment = {
  /** The payment attempt's reference, `<order_code>-<n>`. It is never reused. */
  reference: string
  /** Idempotency key of at most 64 characters. Every retry of this payment attempt uses the same key. */
  idempotencyKey: string
  /** Amount in cents. An amount of 0 stores the card without charging it. */
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
   * The card's type. `other` is a type that no provider can accept. `null` means that the gateway gave no type, or named a network that
   * Fantail does not know.
   */
  type: CardType | 'other' | null
  /** The gateway's name for the card network. `isKnown`: whether Fantail knows this name. Absent if the gateway gave no name. */
  network?: { name: string; isKnown: boolean }
  lastFour: string | null
  /** `MM/YYYY`. */
  expiry: string | null
  holderName: string | null
  storedId: string | null
}

export type AuthorisationOutcome =
  | { outcome: 'authorised'; pspReference: string; card: CardDetails }
  /** The payment was definitely refused. `reason` is for the log and the operator, never for the customer. */
  | { outcome: 'refused'; pspReference: string | null; reason: string }
  | { outcome: 'pending'; pspReference: string; card: CardDetails }
  /** The card details are invalid, or the stored card no longer exists. No money was reserved. */
  | { outcome: 'invalid'; code: string }
  /** The gateway rejected the request because of our key, clock or configuration. No money was reserved. */
  | ({ outcome: 'fault' } & GatewayFault)
  /** The gateway did not respond or returned a 5xx, or a duplicate is still in progress (704). Retry with the same idempotency key. */
  | UnknownOutcome

export type GatewayFault = { code: string; message: string }

type UnknownOutcome = {
  outcome: 'unknown'
  why: string
  unknownResult?: string
  /** The gateway rejected our credentials. This request did nothing, but an earlier attempt may have succeeded. */
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
  | UnknownOutcome

export type CardRemovalOutcome =
  /** The stored card has been deleted, by this call or an earlier one. */
  { outcome: 'disabled' } | { outcome: 'refused'; code: string } | UnknownOutcome

/** A notification from the gateway whose signature and merchant account have been verified. */
export type CardNotification = {
  eventCode: string
  success: boolean
  pspReference: string
  originalReference: string
  merchantReference: string
  amount: number
  currency: string
  /** The gateway does not sign this reason, so it is only for the log and the operator. */
  reason: string
  /** Deadline for defending a dispute. The gateway does not sign it, so use it only to tell staff when to act, never to make a decision. */
  dueAt: Temporal.Instant | null
  /**
   * The payment's card and its holder's shopper reference. The gateway does not sign them, so use them only where no response provided
   * these details.
   */
  card: CardDetails & { shopperReference: string | null }
}
