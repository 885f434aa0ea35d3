import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { mover } from '#kit/server/move.ts'
import type { Retries } from '#kit/server/retries.ts'
import { isRefundOpen, type RefundState, refundTransitions } from '../refunds.states.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    refunds: RefundTable
  }
}

type RefundTable = {
  id: string
  order_id: string
  attempt: number
  reference: string
  idempotency_key: string
  state: RefundState
  amount_cents: number
  psp_reference: string | null
  refusal: string | null
  created_at: Date
  retry_at: Date | null
  tries: number
}
export type Refund = Selectable<RefundTable>

/** The gateway answers in less than the lease or not at all. */
export const refundRetries: Retries = { table: 'refunds', key: 'id', leaseSeconds: 10 }

const leaseEnds = (): Date => toDate(realNow().add({ seconds: refundRetries.leaseSeconds }))

/** Commits what is about to be asked for; the caller has the first lease. Undefined when the order has its refund already. */
export const insertRefund = (
  trx: Trx,
  refund: { orderId: string; reference: string; amountCents: number },
): Promise<Refund | undefined> =>
  trx
    .insertInto('refunds')
    .values({
      id: randomUUID(),
      order_id: refund.orderId,
      attempt: 1,
      reference: refund.reference,
      idempotency_key: randomUUID(),
      state: 'initiated',
      amount_cents: refund.amountCents,
      psp_reference: null,
      refusal: null,
      created_at: toDate(realNow()),
      retry_at: leaseEnds(),
      tries: 0,
    })
    // Of two at once the later may meet the reference first, which is made of the order’s own.
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

export const findRefund = (db: Db | Trx, id: string): Promise<Refund | undefined> =>
  db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst()

export const findRefundOf = (db: Db | Trx, orderId: string): Promise<Refund | undefined> =>
  db.selectFrom('refunds').selectAll().where('order_id', '=', orderId).executeTakeFirst()

/** Has a refund take an event. Null when another worker was first. */
export const moveRefund = mover({
  table: 'refunds',
  transitions: refundTransitions,
  // A no to an earlier try says nothing of a later one.
  asRead: ['id', 'attempt'],
  also: (to) => (isRefundOpen(to) ? {} : { retry_at: null }),
})

/** Asks once more after a definite no: under a new key and a new reference. */
export const askAgain = (trx: Trx, refund: Refund, reference: string): Promise<Refund | null> =>
  moveRefund(trx, refund, 'asked_again', {
    attempt: refund.attempt + 1,
    reference: `${reference}-${refund.attempt + 1}`,
    idempotency_key: randomUUID(),
    refusal: null,
    created_at: toDate(realNow()),
    retry_at: leaseEnds(),
    tries: 0,
  })
