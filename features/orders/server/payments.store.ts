import { type Selectable, sql } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { Json } from '#kit/server/json.ts'
import { createStateTransition } from '#kit/server/state-transition.ts'
import type { SealedColumn } from '#kit/server/reseal.ts'
import type { CardDetails } from '#providers/card/card.port.ts'
import { type AttemptState, paymentAttemptTransitions, isAttemptOpen } from '../payment-attempts.states.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    payment_attempts: AttemptTable
    gateway_notifications: { psp_reference: string; event_code: string; success: boolean; received_at: Date }
  }
}

type AttemptTable = {
  id: string
  order_id: string
  attempt: number
  reference: string
  idempotency_key: string
  state: AttemptState
  amount_cents: number
  currency: string
  shopper_reference: string
  sealed_card: string | null
  stored_card_id: string | null
  store: boolean
  psp_reference: string | null
  card: Json<CardDetails> | null
  refusal: string | null
  created_at: Date
  resolve_by: Date
  capture_psp_reference: string | null
  captured_at: Date | null
  capture_failed_at: Date | null
  cancelled_at: Date | null
  released_at: Date | null
}
/** The subject of the task that asks staff to refund a captured payment. Refunding the payment ends the task. */
export const refundRequiredSubject = 'taken for nothing'

/** The `failure_code` for an order whose payment the gateway rejected because of a fault on our side. */
export const internalFaultCode = 'gateway_fault'

export type Attempt = Selectable<AttemptTable>

export const sealedAttemptColumn: SealedColumn = { table: 'payment_attempts', key: 'id', column: 'sealed_card' }

export const findLatestAttempt = (db: Db | Trx, orderId: string): Promise<Attempt | undefined> =>
  db
    .selectFrom('payment_attempts')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('attempt', 'desc')
    .limit(1)
    .executeTakeFirst()

export const listAttempts = (db: Db, orderId: string): Promise<Attempt[]> =>
  db.selectFrom('payment_attempts').selectAll().where('order_id', '=', orderId).orderBy('attempt').execute()

export async function isCardBeingCharged(db: Db, storedId: string): Promise<boolean> {
  const row = await db
    .selectFrom('payment_attempts')
    .select('id')
    .where('stored_card_id', '=', storedId)
    .where('state', 'in', ['initiated', 'unknown'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

const findAttemptByReference = (db: Db | Trx, reference: string): Promise<Attempt | undefined> =>
  db.selectFrom('payment_attempts').selectAll().where('reference', '=', reference).executeTakeFirst()

/**
 * Finds the payment attempt that a notification is about. References for captures, cancels and refunds start with the
 * attempt's reference.
 */
export const findNotifiedAttempt = (db: Db, merchantReference: string): Promise<Attempt | undefined> =>
  findAttemptByReference(db, /^[A-Z0-9]+-\d+/.exec(merchantReference)?.[0] ?? merchantReference)

export const transitionAttempt = createStateTransition({
  table: 'payment_attempts',
  transitions: paymentAttemptTransitions,
  asRead: ['id'],
  also: (to) => (isAttemptOpen(to) ? {} : { sealed_card: null }),
})

/** Whether a technical cancel was started. It may have reached the gateway, so we no longer ask for the payment's outcome. */
export const isTechnicalCancelBegun = ({ state, cancelled_at: at }: Pick<Attempt, 'state' | 'cancelled_at'>): boolean =>
  isAttemptOpen(state) && at !== null

/**
 * Marks an attempt as being cancelled before its technical cancel is sent. Returns false if the attempt already has an
 * outcome. A second call keeps the first timestamp, so that its caller continues the same cancel.
 */
export async function beginTechnicalCancel(db: Db, { id }: Attempt): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('payment_attempts')
    .set({ cancelled_at: sql<Date>`coalesce(cancelled_at, ${toDate(realNow())})` })
    .where('id', '=', id)
    .where('state', 'in', ['initiated', 'unknown'])
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Wipes encrypted cards within an hour of the payment, whatever its outcome. */
export async function wipeOldCards(db: Db): Promise<void> {
  await db
    .updateTable('payment_attempts')
    .set({ sealed_card: null })
    .where('sealed_card', 'is not', null)
    .where('created_at', '<', toDate(realNow().subtract({ minutes: 55 })))
    .execute()
}

/**
 * Locks the attempt until the transaction ends, so that a response and a notification about it are processed one after the
 * other.
 */
export const lockAttempt = (trx: Trx, id: string): Promise<Attempt> =>
  trx.selectFrom('payment_attempts').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

/** Locks an order's payment, so that refunds and disputes on that payment have to wait. Call this before locking the order. */
export async function lockOrderPayment(trx: Trx, orderId: string): Promise<void> {
  const latestAttempt = await findLatestAttempt(trx, orderId)
  if (latestAttempt) await lockAttempt(trx, latestAttempt.id)
}

/**
 * The outcome that a notification has already reported for this authorisation; `null` if there was none. Notifications may
 * arrive before the response to our own request.
 */
export async function findNotifiedOutcome(trx: Trx, pspReference: string): Promise<boolean | null> {
  const row = await trx
    .selectFrom('gateway_notifications')
    .select('success')
    .where('psp_reference', '=', pspReference)
    .where('event_code', '=', 'AUTHORISATION')
    .executeTakeFirst()
  return row?.success ?? null
}

export async function insertGatewayNotification(
  trx: Trx,
  notification: { pspReference: string; eventCode: string; success: boolean },
): Promise<boolean> {
  const result = await trx
    .insertInto('gateway_notifications')
    .values({
      psp_reference: notification.pspReference,
      event_code: notification.eventCode,
      success: notification.success,
      received_at: toDate(realNow()),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

export const listPaymentNotifications = (
  trx: Trx,
  pspReference: string,
): Promise<{ event_code: string; success: boolean }[]> =>
  trx
    .selectFrom('gateway_notifications')
    .select(['event_code', 'success'])
    .where('psp_reference', '=', pspReference)
    .execute()

export async function listReferencesNotifiedSince(
  db: Db,
  events: string[],
  since: Temporal.Instant,
): Promise<string[]> {
  const rows = await db
    .selectFrom('gateway_notifications')
    .select('psp_reference')
    .distinct()
    .where('event_code', 'in', events)
    .where('success', '=', true)
    .where('received_at', '>=', toDate(since))
    .limit(1_000)
    .execute()
  return rows.map(({ psp_reference }) => psp_reference)
}

export async function recordCaptureNotification(trx: Trx, attempt: Attempt, success: boolean): Promise<void> {
  const now = toDate(realNow())
  await trx
    .updateTable('payment_attempts')
    .set(success ? { captured_at: now } : { capture_failed_at: now })
    .where('id', '=', attempt.id)
    .execute()
}

export async function recordReservationRelease(trx: Trx, { id }: Attempt): Promise<void> {
  await trx
    .updateTable('payment_attempts')
    .set({ released_at: toDate(realNow()) })
    .where('id', '=', id)
    .execute()
}

export async function saveStoredCard(trx: Trx, id: string, card: CardDetails): Promise<void> {
  await trx
    .updateTable('payment_attempts')
    .set({ card: JSON.stringify(card) })
    .where('id', '=', id)
    .execute()
}

export async function eraseOrderCards(trx: Trx, orderIds: string[]): Promise<void> {
  if (orderIds.length === 0) return
  await trx
    .updateTable('payment_attempts')
    .set({ card: null, sealed_card: null, stored_card_id: null })
    .where('order_id', 'in', orderIds)
    .execute()
}

export async function listStoredCards(
  trx: Trx,
  userId: string,
): Promise<{ storedId: string; shopperReference: string }[]> {
  const rows = await trx
    .selectFrom('payment_attempts')
    .innerJoin('orders', 'orders.id', 'payment_attempts.order_id')
    .select(['card', 'shopper_reference'])
    .where('orders.user_id', '=', userId)
    .where('card', 'is not', null)
    .execute()
  return rows.flatMap(({ card, shopper_reference: shopperReference }) =>
    card?.storedId ? [{ storedId: card.storedId, shopperReference }] : [],
  )
}

export async function findPaymentByPspReference(db: Db, pspReference: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('payment_attempts')
    .select('reference')
    .where('psp_reference', '=', pspReference)
    .limit(1)
    .executeTakeFirst()
  return row?.reference
}

export async function filterKnownPayments(db: Db, references: readonly string[]): Promise<Map<string, string>> {
  if (references.length === 0) return new Map()
  const rows = await db
    .selectFrom('payment_attempts')
    .select(['reference', 'order_id'])
    .where('reference', 'in', references)
    .execute()
  return new Map(rows.map(({ reference, order_id: orderId }) => [reference, orderId]))
}
