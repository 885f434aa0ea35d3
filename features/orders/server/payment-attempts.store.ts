import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import { type Order, overdueAfterMinutes } from './orders.store.ts'
import type { Attempt } from './payments.store.ts'

export type NewAttempt = Pick<Attempt, 'sealed_card' | 'stored_card_id' | 'store' | 'shopper_reference' | 'card'>

/**
 * A payment attempt that has no outcome after this many seconds is cancelled by our reference, so that every payment is
 * resolved within two minutes.
 */
const resolutionTimeoutSeconds = 75

export const computeResolveDeadline = (): Date => toDate(realNow().add({ seconds: resolutionTimeoutSeconds }))

/**
 * Automatic renewals have a later deadline: thousands become due in one night, so the last ones are sent late, and no customer is waiting.
 */
const computeFirstResolveDeadline = ({ auto_renewal: byUs }: Order): Date =>
  byUs ? toDate(realNow().add({ minutes: overdueAfterMinutes })) : computeResolveDeadline()

const insertedColumns = [
  'id',
  'order_id',
  'attempt',
  'reference',
  'idempotency_key',
  'state',
  'amount_cents',
  'currency',
  'shopper_reference',
  'sealed_card',
  'stored_card_id',
  'store',
  'card',
  'created_at',
  'resolve_by',
] as const satisfies (keyof Attempt)[]

export const buildPaymentReference = ({ order_code: code }: Order): string => `${code}-1`

/**
 * Inserts each new order's only payment attempt; a customer who tries again creates a new order. One statement inserts any
 * number of attempts.
 */
export async function insertAttempts(
  trx: Trx,
  attempts: readonly { order: Order; charged: NewAttempt }[],
): Promise<void> {
  if (attempts.length === 0) return
  const rows = attempts.map(({ order, charged }): Pick<Attempt, (typeof insertedColumns)[number]> => ({
    id: randomUUID(),
    order_id: order.id,
    attempt: 1,
    reference: buildPaymentReference(order),
    idempotency_key: randomUUID(),
    state: 'initiated',
    amount_cents: order.amount_cents,
    currency: order.currency,
    ...charged,
    created_at: toDate(realNow()),
    resolve_by: computeFirstResolveDeadline(order),
  }))
  const columns = sql.join(insertedColumns.map((name) => sql.ref(name)))
  await sql`insert into "payment_attempts" (${columns})
    select ${columns} from json_populate_recordset(null::payment_attempts, ${JSON.stringify(rows)}::json)`.execute(trx)
}
