import type { Db } from '#kit/server/db.ts'
import type { Ledgers } from '#quality/support/ledgers.ts'

export type CustomerPromise = {
  /** The code of the order; for a refund, the code of the refunded order. */
  order_code: string
  kind: 'activation' | 'recharge' | 'addon' | 'refund'
  paid_with: 'card' | 'voucher'
  /** The price in cents; for a refund, the refunded amount. */
  cents: number
  email: string
  said: 'accepted' | 'delivered' | 'failed'
}

/** An email that the relay accepted. There is one entry for each delivery. */
export type DeliveredEmail = { to: string; message_id: string; subject: string }

/** A text message that the carrier sent. `id` is the product's message id, which the carrier stores as `external_id`. */
export type DeliveredSms = { to: string; id: string; text: string }

export type AuditRecords = Ledgers & {
  db: Db
  mails: readonly DeliveredEmail[]
  texts: readonly DeliveredSms[]
  promised: readonly CustomerPromise[]
  since?: Date
}
