import { randomUUID } from 'node:crypto'
import type { ColumnType, Selectable } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { mover } from '#kit/server/move.ts'
import type { Retries } from '#kit/server/retries.ts'
import { isGiven, isRefundOpen, type RefundState, refundTransitions } from '../refunds.states.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    refunds: RefundTable
  }
}

type RefundTable = {
  id: string
  order_id: string
  /** The number of the try among all of its order's. */
  attempt: number
  reference: string
  idempotency_key: string
  state: RefundState
  amount_cents: number
  psp_reference: string | null
  refusal: string | null
  /** In the operator's words. */
  reason: ColumnType<string | null, string | null | undefined, string | null>
  created_at: Date
  retry_at: Date | null
  tries: number
}
export type Refund = Selectable<RefundTable>

/** The gateway answers in less than the lease or not at all. */
export const refundRetries: Retries = {
  queue: 'refunds.resolve',
  table: 'refunds',
  key: 'id',
  leaseSeconds: 10,
  countsFailures: true,
}

const leaseEnds = (): Date => toDate(realNow().add({ seconds: refundRetries.leaseSeconds }))

/** `reference`: of the payment's attempt. */
export type NewRefund = { orderId: string; reference: string; amountCents: number; reason: string | null }

/** What a try is called at the gateway: the first of an order so that a process that knows of one only would call it the same. */
const referenceOf = (reference: string, attempt: number): string =>
  attempt === 1 ? `${reference}-refund` : `${reference}-refund-${attempt}`

/**
 * Commits what is about to be asked for; the caller has the first lease, and has locked the payment. Undefined when another
 * refund of the order is open.
 */
export async function insertRefund(trx: Trx, refund: NewRefund): Promise<Refund | undefined> {
  const attempt = await nextAttempt(trx, refund.orderId)
  return (
    trx
      .insertInto('refunds')
      .values({
        id: randomUUID(),
        order_id: refund.orderId,
        attempt,
        reference: referenceOf(refund.reference, attempt),
        idempotency_key: randomUUID(),
        state: 'initiated',
        amount_cents: refund.amountCents,
        psp_reference: null,
        refusal: null,
        reason: refund.reason,
        created_at: toDate(realNow()),
        retry_at: leaseEnds(),
        tries: 0,
      })
      // A process of before does not lock the payment.
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
  )
}

const nextAttempt = async (trx: Trx, orderId: string): Promise<number> =>
  1 + Math.max(0, ...(await refundsOf(trx, orderId)).map(({ attempt }) => attempt))

export const findRefund = (db: Db | Trx, id: string): Promise<Refund | undefined> =>
  db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst()

/** Those of an order, the latest tried last. */
export const refundsOf = (db: Db | Trx, orderId: string): Promise<Refund[]> =>
  db.selectFrom('refunds').selectAll().where('order_id', '=', orderId).orderBy('attempt').execute()

/** Those without an answer, of any order, which are few: the longest overdue first. */
export const listOpenRefunds = (db: Db, limit: number): Promise<Refund[]> =>
  db.selectFrom('refunds').selectAll().where('retry_at', 'is not', null).orderBy('retry_at').limit(limit).execute()

/** How much of an order's money has been given back or is about to be, in cents. */
export const givenCents = (refunds: Refund[]): number =>
  refunds.filter(isGiven).reduce((sum, { amount_cents }) => sum + amount_cents, 0)

/** Has a refund take an event. Null when another worker was first. */
export const moveRefund = mover({
  table: 'refunds',
  transitions: refundTransitions,
  // A no to an earlier try says nothing of a later one.
  asRead: ['id', 'attempt'],
  also: (to) => (isRefundOpen(to) ? {} : { retry_at: null }),
})

/**
 * Asks once more after a definite no, or when it came back: under a new key and a new reference. So of those that were refused
 * there is one row at most, which a process of before would take as well.
 */
export async function askAgain(trx: Trx, refund: Refund, wanted: NewRefund): Promise<Refund | null> {
  const attempt = await nextAttempt(trx, refund.order_id)
  return moveRefund(trx, refund, 'asked_again', {
    attempt,
    reference: referenceOf(wanted.reference, attempt),
    idempotency_key: randomUUID(),
    amount_cents: wanted.amountCents,
    reason: wanted.reason,
    refusal: null,
    created_at: toDate(realNow()),
    retry_at: leaseEnds(),
    tries: 0,
  })
}
