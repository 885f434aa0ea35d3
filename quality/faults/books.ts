import type { Db } from '#kit/server/db.ts'
import type { Ledgers } from '#quality/support/ledgers.ts'

/** What one customer was told of one order; the auditor holds the product to it. */
export type Promised = {
  /** Of a refund, that of the order that is given back. */
  order_code: string
  kind: 'activation' | 'recharge' | 'addon' | 'refund'
  paid_with: 'card' | 'voucher'
  /** Of a refund, what is given back. */
  cents: number
  email: string
  said: 'accepted' | 'delivered' | 'failed'
}

/** A mail that the relay took charge of, once for each time that it was brought. */
export type Mailed = { to: string; message_id: string; subject: string }

/** A text that the carrier sent. `id`: the product's own, which the carrier has as its `external_id`. */
export type Texted = { to: string; id: string; text: string }

/** All that is compared: our own tables, what the others say of themselves, and what customers were told. */
export type Books = Ledgers & {
  db: Db
  mails: readonly Mailed[]
  texts: readonly Texted[]
  promised: readonly Promised[]
  /** Leaves out what was bought before. */
  since?: Date
}
