import { type Selectable, sql } from 'kysely'
import { type Actor, formatActor } from '#kit/server/actor.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { createStateTransition } from '#kit/server/state-transition.ts'
import { randomCode } from '#kit/server/random-code.ts'
import { type VoucherBatchState, voucherBatchTransitions } from '../voucher-batches.states.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    voucher_batches: VoucherBatchTable
  }
}

type VoucherBatchTable = {
  id: string
  state: VoucherBatchState
  product_id: string
  expires_at: Date
  wanted: number
  made: number
  actor: string
  created_at: Date
  retry_at: Date | null
}
export type VoucherBatch = Selectable<VoucherBatchTable>
/**
 * A voucher batch to create. `id` is set if the caller chose the batch's ID in advance, which makes creating it
 * idempotent.
 */
export type NewBatch = { id?: string; count: number; productId: string; expiresAt: Temporal.Instant; actor: Actor }

const batchTimeoutSeconds = 120
const computeBatchTimeout = (): Date => toDate(realNow().add({ seconds: batchTimeoutSeconds }))

export const generateBatchId = (): string => randomCode(8)

/**
 * Inserts a voucher batch, and returns its id.
 * @throws when a batch with this id already exists
 */
export async function insertBatch(db: Db | Trx, now: Temporal.Instant, newBatch: NewBatch): Promise<string> {
  const id = newBatch.id ?? generateBatchId()
  await db
    .insertInto('voucher_batches')
    .values({
      id,
      state: 'making',
      product_id: newBatch.productId,
      expires_at: toDate(newBatch.expiresAt),
      wanted: newBatch.count,
      made: 0,
      actor: formatActor(newBatch.actor) ?? '',
      created_at: toDate(now),
      retry_at: computeBatchTimeout(),
    })
    .execute()
  return id
}

export const transitionBatch = createStateTransition({
  table: 'voucher_batches',
  transitions: voucherBatchTransitions,
  asRead: ['id'],
  also: () => ({ retry_at: null }),
})

export const findBatch = (db: Db | Trx, id: string): Promise<VoucherBatch | undefined> =>
  db.selectFrom('voucher_batches').selectAll().where('id', '=', id).executeTakeFirst()

export const listBatches = (db: Db, limit: number): Promise<VoucherBatch[]> =>
  db.selectFrom('voucher_batches').selectAll().orderBy('created_at', 'desc').limit(limit).execute()

export async function countCreatedCodes(trx: Trx, id: string, count: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('voucher_batches')
    .set({ made: sql`made + ${count}`, retry_at: computeBatchTimeout() })
    .where('id', '=', id)
    .where('state', '=', 'making')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const listTimedOutBatches = (db: Db): Promise<{ id: string }[]> =>
  db.selectFrom('voucher_batches').select('id').where('retry_at', '<=', toDate(realNow())).limit(50).execute()
