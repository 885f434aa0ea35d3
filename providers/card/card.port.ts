import type { CardType } from '#kit/contract/card-types.ts'

/** The card gateway, in the product's words. Amounts are integer cents. No method throws for what a gateway can answer. */
export type CardGateway = {
  /** Reserves money on a card. The same key repeated answers the first outcome. */
  authorise(payment: CardPayment): Promise<AuthoriseOutcome>
  /** Takes reserved money. `received` means the gateway has taken charge of it; the result comes by webhook. */
  capture(modification: Modification & { amount: number; currency: string }): Promise<ModificationOutcome>
  /** Gives reserved money back. */
  cancel(modification: Modification): Promise<ModificationOutcome>
  /** Gives captured money back. */
  refund(modification: Modification & { amount: number; currency: string }): Promise<ModificationOutcome>
  /** Cancels by our own reference: the way out of "sent, no answer". */
  technicalCancel(modification: {
    originalReference: string
    reference: string
    idempotencyKey: string
  }): Promise<ModificationOutcome>
  /** Has a stored card forgotten: it cannot be charged any more. */
  disable(card: { storedId: string; shopperReference: string; idempotencyKey: string }): Promise<DisableOutcome>
}

export type CardPayment = {
  /** The attempt's reference, `<order_code>-<n>`, never reused. */
  reference: string
  /** At most 64 characters, the same on every repeat of this attempt. */
  idempotencyKey: string
  /** Cents; 0 only stores a card. */
  amount: number
  currency: string
  shopperReference: string
  shopperEmail: string
  shopperIp?: string
  /** An encrypted card from the browser, or the id of a saved one. */
  card: { encrypted: string } | { storedId: string }
  /** Keep the card for later payments (encrypted cards only). */
  store: boolean
}

/** What the gateway tells about a card: all the product ever knows of it. */
export type CardDetails = {
  /** `other`: a type that no provider can accept; null: the gateway does not say, or names a network that the product does not know. */
  type: CardType | 'other' | null
  /** The gateway's name for the card's network, and whether the product knows that name. Absent where the gateway gives none. */
  network?: { name: string; isKnown: boolean }
  lastFour: string | null
  /** `MM/YYYY` */
  expiry: string | null
  holderName: string | null
  storedId: string | null
}

export type AuthoriseOutcome =
  | { outcome: 'authorised'; pspReference: string; card: CardDetails }
  /** A definite no; `reason` is for the log and the operator, never for the customer. */
  | { outcome: 'refused'; pspReference: string | null; reason: string }
  /** The gateway has it and will tell by webhook. */
  | { outcome: 'pending'; pspReference: string; card: CardDetails }
  /** What the customer has typed in cannot be a card, or the stored one is gone: nothing was reserved. */
  | { outcome: 'invalid'; code: string }
  /** The request was refused for something that is ours to put right, a key, a clock or a setting: nothing was reserved. */
  | ({ outcome: 'fault' } & GatewayFault)
  /** No answer, a 5xx, or a duplicate under way (704): ask again with the same key. */
  | Unknown

/** In the gateway's own words. */
export type GatewayFault = { code: string; message: string }

type Unknown = {
  outcome: 'unknown'
  why: string
  /** The result that the gateway gave, where the product does not know that word. */
  unknownResult?: string
  /** The gateway lets no call of ours in, for this: here nothing was done, and of an earlier try it says nothing. */
  lockedOut?: GatewayFault
}

export type Modification = {
  /** pspReference of the authorisation. */
  originalReference: string
  reference: string
  idempotencyKey: string
}

export type ModificationOutcome =
  | { outcome: 'received'; pspReference: string }
  | { outcome: 'refused'; code: string; message: string }
  | Unknown

export type DisableOutcome =
  /** It is forgotten, now or since some earlier time. */
  { outcome: 'disabled' } | { outcome: 'refused'; code: string } | Unknown

/** A notification of the gateway whose signature and account were checked. */
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
  /** Until when a dispute can be contested. Not signed either: it says when a person is to look, and decides nothing. */
  dueAt: Temporal.Instant | null
  /** What it says of the payment's card, and under which name its holder is known. Not signed: it fills what no answer has said. */
  card: CardDetails & { shopperReference: string | null }
}
