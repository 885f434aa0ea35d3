import { type Selectable, sql } from 'kysely'
import { type Actor, nameOf } from '#kit/server/actor.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { mover } from '#kit/server/move.ts'
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
/** `id` is set when the batch was named in advance. It makes the creation idempotent. */
export type NewBatch = { id?: string; count: number; productId: string; expiresAt: Temporal.Instant; actor: Actor }

const silenceSeconds = 120
const silenceEnds = (): Date => toDate(realNow().add({ seconds: silenceSeconds }))

export const newBatchId = (): string => randomCode(8)

/** @throws when a batch with this id exists */
export async function insertBatch(db: Db | Trx, now: Temporal.Instant, wish: NewBatch): Promise<string> {
  const id = wish.id ?? newBatchId()
  await db
    .insertInto('voucher_batches')
    .values({
      id,
      state: 'making',
      product_id: wish.productId,
      expires_at: toDate(wish.expiresAt),
      wanted: wish.count,
      made: 0,
      actor: nameOf(wish.actor) ?? '',
      created_at: toDate(now),
      retry_at: silenceEnds(),
    })
    .execute()
  return id
}

export const moveBatch = mover({
  table: 'voucher_batches',
  transitions: voucherBatchTransitions,
  asRead: ['id'],
  also: () => ({ retry_at: null }),
})

export const findBatch = (db: Db | Trx, id: string): Promise<VoucherBatch | undefined> =>
  db.selectFrom('voucher_batches').selectAll().where('id', '=', id).executeTakeFirst()

export const listBatches = (db: Db, limit: number): Promise<VoucherBatch[]> =>
  db.selectFrom('voucher_batches').selectAll().orderBy('created_at', 'desc').limit(limit).execute()

export async function countMade(trx: Trx, id: string, count: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('voucher_batches')
    .set({ made: sql`made + ${count}`, retry_at: silenceEnds() })
    .where('id', '=', id)
    .where('state', '=', 'making')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const findSilentBatches = (db: Db): Promise<{ id: string }[]> =>
  db.selectFrom('voucher_batches').select('id').where('retry_at', '<=', toDate(realNow())).limit(50).execute()
