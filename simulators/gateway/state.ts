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

/** What the gateway keeps of a card: never its number or code. */
export type CardOnFile = {
  /** Last four digits. */
  summary: string
  holderName: string
  expiryMonth: number
  expiryYear: number
  /** First six digits. Cards that were stored by an older version have none. */
  bin?: string
  paymentMethod: 'visa' | 'mc' | 'amex' | 'diners' | 'discover' | 'jcb' | 'cup' | 'card'
}

export type StoredCard = CardOnFile & { id: string; shopperReference: string }

/** One authorise request that was carried out. Amounts in cents: open is what is authorised, not captured and not cancelled. */
export type Payment = {
  pspReference: string
  /** The merchant's. */
  reference: string
  currency: string
  requested: number
  authorised: number
  captured: number
  refunded: number
  /** Authorised money given back: by a cancel, or because less than all was captured. */
  cancelled: number
  /** Set while the outcome is not known. `resolvesAt`: epoch milliseconds of the simulator's clock; null is never. */
  pending: { resolvesAt: number | null; approves: boolean } | null
  card: CardOnFile
  /** Epoch milliseconds of the simulator's clock; ledgers of an older version have neither. */
  createdAt?: number
  capturedAt?: number
  /** The stored card it was paid with, or will be stored as once authorised. */
  storedCard: StoredCard | null
}

/** The first answer to an idempotency key. */
export type SavedAnswer = { status: number; body: unknown }

/** What comes of the merchant's own calls. */
export type EventCode =
  | 'AUTHORISATION'
  | 'CAPTURE'
  | 'CANCELLATION'
  | 'REFUND'
  | 'TECHNICAL_CANCEL'
  | 'RECURRING_CONTRACT'

/** What a webhook says, in the vendor's words. */
export type NotificationItem = {
  /** One of `EventCode`, or whatever the gateway was asked to tell. */
  eventCode: string
  success: 'true' | 'false'
  /** Of the request that this is the outcome of: a modification has one of its own. */
  pspReference: string
  /** Of the payment that was modified; empty for an authorisation. */
  originalReference: string
  /** The merchant's reference of the payment, also for a modification. */
  merchantReference: string
  merchantAccountCode: string
  amount: { value: number; currency: string }
  eventDate: string
  reason: string
  additionalData: Record<string, string>
}

/** `beside`: items in the same call; `unsigned`: they are sent as a forger would. */
export type QueuedWebhook = { item: NotificationItem; held: boolean; beside?: NotificationItem[]; unsigned?: boolean }

/** Captured money that was asked to be given back, and whether it came back from the card's bank. */
export type Refund = { pspReference: string; payment: string; value: number; returned: boolean; createdAt?: number }

/** A failure that was asked for, for the next `times` calls of an operation (of one payment, where a reference is given). */
export type QueuedFailure = {
  operation: OperationName
  kind: FailureKind
  times: number
  reference: string | null
  delayMs: number
}

/** What an account can be set to have in an answer. */
export const additionalNames = [
  'cardSummary',
  'expiryDate',
  'cardHolderName',
  'paymentMethod',
  'cardBin',
  'recurring.recurringDetailReference',
] as const

/** What a new account does not return. */
export const hiddenByDefault: readonly string[] = ['cardBin']

export type Settings = {
  clockOffsetMs: number
  webhookMode: WebhookMode
  /** The network by which every payment is routed, in whatever words; null or absent: the card's own. */
  network?: string | null
  /** Answers the next authorise calls with this result instead of `Authorised`; null or absent: with its own. */
  result?: string | null
  /** Names of additional data that the account does not return. */
  hidden?: readonly string[]
  /** Whether stored cards are told of by a webhook of their own. */
  tellsOfContracts?: boolean
}

/** Everything the gateway knows, by table and key. */
export type Tables = {
  /** By pspReference. */
  payments: Payment
  /** By pspReference. */
  refunds: Refund
  /** By id (`recurringDetailReference`). */
  cards: StoredCard
  /** Merchant references that a technicalCancel has stopped for good. */
  stops: true
  /** By idempotency key. */
  answers: SavedAnswer
  webhooks: QueuedWebhook
  failures: QueuedFailure
  settings: Settings
}

/** A row as it now is; null takes it away. */
export type Change = { [T in keyof Tables]: { table: T; key: string; row: Tables[T] | null } }[keyof Tables]

export const openAmount = (payment: Payment): number => payment.authorised - payment.captured - payment.cancelled
