import type { Db } from '#kit/server/db.ts'
import type { Ledgers } from '#quality/support/ledgers.ts'

export type CustomerPromise = {
  /** The order's code; for a refund, the code of the order that was refunded. */
  order_code: string
  kind: 'activation' | 'recharge' | 'addon' | 'refund'
  paid_with: 'card' | 'voucher'
  /** The price in cents; for a refund, the amount refunded. */
  cents: number
  email: string
  said: 'accepted' | 'delivered' | 'failed'
}

/** An email that the relay accepted. Each delivery has its own entry. */
export type DeliveredEmail = { to: string; message_id: string; subject: string }

/** A text message sent by the carrier. `id` is Fantail's message id, which the carrier stores as `external_id`. */
export type DeliveredSms = { to: string; id: string; text: string }

export type AuditRecords = Ledgers & {
  db: Db
  mails: readonly DeliveredEmail[]
  texts: readonly DeliveredSms[]
  promised: readonly CustomerPromise[]
  since?: Date
}
