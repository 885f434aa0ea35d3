import { randomUUID } from 'node:crypto'
import type { ColumnType, Selectable } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { createStateTransition } from '#kit/server/state-transition.ts'
import type { RetryQueue } from '#kit/server/retry-queue.ts'
import { countsAsRefunded, isRefundOpen, type RefundState, refundTransitions } from '../refunds.states.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    refunds: RefundTable
  }
}

type RefundTable = {
  id: string
  order_id: string
  /** The refund attempt's number, counted across all refunds of the order. */
  attempt: number
  reference: string
  idempotency_key: string
  state: RefundState
  amount_cents: number
  psp_reference: string | null
  refusal: string | null
  reason: ColumnType<string | null, string | null | undefined, string | null>
  created_at: Date
  retry_at: Date | null
  tries: number
}
export type Refund = Selectable<RefundTable>

/** A refund's lease must outlast the timeout of a gateway request. */
export const refundQueue: RetryQueue = {
  queue: 'refunds.resolve',
  table: 'refunds',
  key: 'id',
  leaseSeconds: 10,
  countsFailures: true,
}

const computeLeaseEnd = (): Date => toDate(realNow().add({ seconds: refundQueue.leaseSeconds }))

/** `reference` identifies the payment attempt to be refunded. */
export type NewRefund = { orderId: string; reference: string; amountCents: number; reason: string | null }

/**
 * Builds a refund's reference at the gateway. The first refund has no number, for compatibility with older versions.
 */
const buildRefundReference = (reference: string, attempt: number): string =>
  attempt === 1 ? `${reference}-refund` : `${reference}-refund-${attempt}`

/**
 * Records a refund, which must be committed before the gateway is called. The caller must have locked the payment. The
 * new refund is already leased to the caller. Returns `undefined` if the order has another open refund.
 */
export async function insertRefund(trx: Trx, refund: NewRefund): Promise<Refund | undefined> {
  const attempt = await getNextAttemptNumber(trx, refund.orderId)
  return (
    trx
      .insertInto('refunds')
      .values({
        id: randomUUID(),
        order_id: refund.orderId,
        attempt,
        reference: buildRefundReference(refund.reference, attempt),
        idempotency_key: randomUUID(),
        state: 'initiated',
        amount_cents: refund.amountCents,
        psp_reference: null,
        refusal: null,
        reason: refund.reason,
        created_at: toDate(realNow()),
        retry_at: computeLeaseEnd(),
        tries: 0,
      })
      // During an upgrade, an older version of Fantail, which does not lock the payment, may still be running.
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
  )
}

const getNextAttemptNumber = async (trx: Trx, orderId: string): Promise<number> =>
  1 + Math.max(0, ...(await listOrderRefunds(trx, orderId)).map(({ attempt }) => attempt))

export const findRefund = (db: Db | Trx, id: string): Promise<Refund | undefined> =>
  db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst()

export const listOrderRefunds = (db: Db | Trx, orderId: string): Promise<Refund[]> =>
  db.selectFrom('refunds').selectAll().where('order_id', '=', orderId).orderBy('attempt').execute()

export const listOpenRefunds = (db: Db, limit: number): Promise<Refund[]> =>
  db.selectFrom('refunds').selectAll().where('retry_at', 'is not', null).orderBy('retry_at').limit(limit).execute()

export const sumRefundedCents = (refunds: Refund[]): number =>
  refunds.filter(countsAsRefunded).reduce((sum, { amount_cents }) => sum + amount_cents, 0)

export const transitionRefund = createStateTransition({
  table: 'refunds',
  transitions: refundTransitions,
  // Include the attempt, so that the gateway's response to an earlier attempt cannot change a later one.
  asRead: ['id', 'attempt'],
  also: (to) => (isRefundOpen(to) ? {} : { retry_at: null }),
})

/**
 * Retries a refused or returned refund with a new idempotency key and a new reference. Reuses the row, because older
 * versions expect an order to have at most one refused refund.
 */
export async function requestRefundAgain(trx: Trx, refund: Refund, newRefund: NewRefund): Promise<Refund | null> {
  const attempt = await getNextAttemptNumber(trx, refund.order_id)
  return transitionRefund(trx, refund, 'asked_again', {
    attempt,
    reference: buildRefundReference(newRefund.reference, attempt),
    idempotency_key: randomUUID(),
    amount_cents: newRefund.amountCents,
    reason: newRefund.reason,
    refusal: null,
    created_at: toDate(realNow()),
    retry_at: computeLeaseEnd(),
    tries: 0,
  })
}
