export const operations = ['authorise', 'capture', 'cancel', 'refund', 'technicalCancel', 'disable'] as const
export type OperationName = (typeof operations)[number]

export const failureKinds = [
  'lost_request',
  'lost_answer',
  'error_500',
  'slow',
  'refuse',
  'refuse_untold',
  'refuse_at_once',
  'refuse_expired',
  'refuse_balance',
  'other_reference',
] as const
export type FailureKind = (typeof failureKinds)[number]

export const webhookModes = ['normal', 'hold', 'duplicate', 'reorder', 'drop'] as const
export type WebhookMode = (typeof webhookModes)[number]

/** The stored data for a card. It never includes the card number or the security code. */
export type CardOnFile = {
  summary: string
  holderName: string
  expiryMonth: number
  expiryYear: number
  /** The first digits of the card number. Absent from cards stored by an older version. */
  bin?: string
  paymentMethod: 'visa' | 'mc' | 'amex' | 'diners' | 'discover' | 'jcb' | 'cup' | 'card'
}

export type StoredCard = CardOnFile & { id: string; shopperReference: string }

/** A payment, with amounts in cents. The amount that can still be captured or cancelled is authorised - captured - cancelled. */
export type Payment = {
  pspReference: string
  reference: string
  currency: string
  requested: number
  authorised: number
  captured: number
  refunded: number
  /** Money released by a cancel, or because less was captured than had been authorised. */
  cancelled: number
  /** Set while the payment's outcome is pending. `resolvesAt` is in epoch milliseconds on the simulator's clock; `null` means never. */
  pending: { resolvesAt: number | null; approves: boolean } | null
  card: CardOnFile
  /** When the payment was created, in epoch milliseconds on the simulator's clock. Absent from ledgers written by an older version. */
  createdAt?: number
  capturedAt?: number
  storedCard: StoredCard | null
}

export type SavedResponse = { status: number; body: unknown }

export type EventCode =
  | 'AUTHORISATION'
  | 'CAPTURE'
  | 'CANCELLATION'
  | 'REFUND'
  | 'TECHNICAL_CANCEL'
  | 'RECURRING_CONTRACT'

export type NotificationItem = {
  eventCode: string
  success: 'true' | 'false'
  /** The reference of the request whose result this notification reports. Each modification has its own reference. */
  pspReference: string
  originalReference: string
  merchantReference: string
  merchantAccountCode: string
  amount: { value: number; currency: string }
  eventDate: string
  reason: string
  additionalData: Record<string, string>
}

/**
 * A webhook to deliver. `beside` holds further items sent in the same request. `unsigned` sends the webhook without signatures, as a forger
 * would.
 */
export type QueuedWebhook = { item: NotificationItem; held: boolean; beside?: NotificationItem[]; unsigned?: boolean }

export type Refund = { pspReference: string; payment: string; value: number; returned: boolean; createdAt?: number }

export type QueuedFailure = {
  operation: OperationName
  kind: FailureKind
  times: number
  reference: string | null
  delayMs: number
}

export const additionalDataNames = [
  'cardSummary',
  'expiryDate',
  'cardHolderName',
  'paymentMethod',
  'cardBin',
  'recurring.recurringDetailReference',
] as const

export const defaultHiddenFields: readonly string[] = ['cardBin']

export type Settings = {
  clockOffsetMs: number
  webhookMode: WebhookMode
  /** The card network returned for every payment. If `null` or absent, the card's actual network is returned. */
  network?: string | null
  /** A result code to return instead of `Authorised`. If `null` or absent, `Authorised` is returned as usual. */
  result?: string | null
  hidden?: readonly string[]
  tellsOfContracts?: boolean
}

export type Tables = {
  payments: Payment
  refunds: Refund
  cards: StoredCard
  stops: true
  answers: SavedResponse
  webhooks: QueuedWebhook
  failures: QueuedFailure
  settings: Settings
}

/** A change to one row. A `row` of `null` deletes it. */
export type TableChange = { [T in keyof Tables]: { table: T; key: string; row: Tables[T] | null } }[keyof Tables]

export const getUncapturedAmount = (payment: Payment): number =>
  payment.authorised - payment.captured - payment.cancelled
