import { randomUUID } from 'node:crypto'
import { type ColumnType, sql } from 'kysely'
import { toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { Secrets } from '#kit/server/secrets.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    vouchers: {
      id: string
      code_hash: string
      product_id: string
      expires_at: Date
      order_id: string | null
      redeemed_at: Date | null
      /** The voucher's batch; `null` for vouchers that predate batches. */
      batch_id: ColumnType<string | null, string | null | undefined>
      voided_at: ColumnType<Date | null, Date | null | undefined>
    }
  }
}

type VoucherRow = {
  id: string
  product_id: string
  expires_at: Date
  order_id: string | null
  redeemed_at: Date | null
  batch_id: string | null
  /** Whether the voucher cannot be used because it has been voided or its batch is incomplete. */
  is_void: boolean
}

const isVoidColumn =
  sql<boolean>`voided_at is not null or coalesce(voucher_batches.state, 'complete') <> 'complete'`.as('is_void')

const hashVoucherCode = (secrets: Secrets, code: string): string => secrets.hash('voucher', code)

export const findVoucher = (db: Db | Trx, secrets: Secrets, code: string): Promise<VoucherRow | undefined> =>
  db
    .selectFrom('vouchers')
    .leftJoin('voucher_batches', 'voucher_batches.id', 'vouchers.batch_id')
    .select(['vouchers.id', 'vouchers.product_id', 'vouchers.expires_at', 'order_id', 'redeemed_at', 'batch_id'])
    .select(isVoidColumn)
    /*
     * A code may have two hashes, if the secret was changed in the same restart that moved the hash key into the
     * database.
     */
    .where('code_hash', 'in', secrets.hashes('voucher', code))
    .executeTakeFirst()

/**
 * Locks a voucher until the transaction ends. Callers must lock a voucher before inserting an order that refers to it,
 * just like a SIM pack.
 */
export async function lockVoucher(trx: Trx, id: string): Promise<void> {
  await trx.selectFrom('vouchers').select('id').where('id', '=', id).forUpdate().execute()
}

export async function reserveVoucher(trx: Trx, id: string, orderId: string, now: Temporal.Instant): Promise<boolean> {
  const result = await trx
    .updateTable('vouchers')
    .set({ order_id: orderId })
    .where('id', '=', id)
    .where('order_id', 'is', null)
    .where('expires_at', '>', toDate(now))
    .where('voided_at', 'is', null)
    .where((where) =>
      where.or([
        where('batch_id', 'is', null),
        where.exists(
          where
            .selectFrom('voucher_batches')
            .select('voucher_batches.id')
            .whereRef('voucher_batches.id', '=', 'vouchers.batch_id')
            .where('state', '=', 'complete'),
        ),
      ]),
    )
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function releaseVoucher(trx: Trx, orderId: string): Promise<void> {
  await trx
    .updateTable('vouchers')
    .set({ order_id: null })
    .where('order_id', '=', orderId)
    .where('redeemed_at', 'is', null)
    .execute()
}

export async function makeVoucherRedeemable(trx: Trx, orderId: string): Promise<void> {
  await trx
    .updateTable('vouchers')
    .set({ order_id: null, redeemed_at: null })
    .where('order_id', '=', orderId)
    .where('voided_at', 'is', null)
    .execute()
}

export const findVoucherById = (
  db: Db | Trx,
  id: string,
): Promise<Pick<VoucherRow, 'id' | 'order_id' | 'expires_at' | 'is_void'> | undefined> =>
  db
    .selectFrom('vouchers')
    .leftJoin('voucher_batches', 'voucher_batches.id', 'vouchers.batch_id')
    .select(['vouchers.id', 'vouchers.order_id', 'vouchers.expires_at'])
    .select(isVoidColumn)
    .where('vouchers.id', '=', id)
    .executeTakeFirst()

export async function redeemVoucher(trx: Trx, id: string, at: Temporal.Instant): Promise<void> {
  await trx
    .updateTable('vouchers')
    .set({ redeemed_at: toDate(at) })
    .where('id', '=', id)
    .execute()
}

export async function voidVoucher(trx: Trx, id: string, at: Temporal.Instant): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('vouchers')
    .set({ voided_at: toDate(at) })
    .where('id', '=', id)
    .where('order_id', 'is', null)
    .where('voided_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function addVouchers(
  trx: Trx,
  secrets: Secrets,
  batch: { batchId: string; productId: string; expiresAt: Temporal.Instant; codes: string[] },
): Promise<string[]> {
  const codesByHash = new Map(batch.codes.map((code) => [hashVoucherCode(secrets, code), code]))
  const ids = Array.from(codesByHash, () => randomUUID())
  const { rows } = await sql<{ code_hash: string }>`
    insert into vouchers (id, code_hash, product_id, expires_at, batch_id)
    select id, code_hash, ${batch.productId}, ${toDate(batch.expiresAt)}, ${batch.batchId}
    from unnest(${ids}::uuid[], ${[...codesByHash.keys()]}::text[]) as made (id, code_hash)
    on conflict (code_hash) do nothing returning code_hash`.execute(trx)
  return rows.map((row) => codesByHash.get(row.code_hash) ?? '')
}

export async function importVouchers(
  db: Db,
  secrets: Secrets,
  vouchers: { code: string; productId: string; expiresAt: Temporal.Instant }[],
): Promise<void> {
  for (const { code, productId, expiresAt } of vouchers) {
    await db
      .insertInto('vouchers')
      .values({
        id: randomUUID(),
        code_hash: hashVoucherCode(secrets, code),
        product_id: productId,
        expires_at: toDate(expiresAt),
        order_id: null,
        redeemed_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}
