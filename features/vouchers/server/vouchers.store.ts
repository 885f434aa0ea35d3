import { randomUUID } from 'node:crypto'
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
    }
  }
}

type VoucherRow = { id: string; product_id: string; expires_at: Date; order_id: string | null }

const hashOf = (secrets: Secrets, code: string): string => secrets.hash('voucher', code)

export const findVoucher = (db: Db | Trx, secrets: Secrets, code: string): Promise<VoucherRow | undefined> =>
  db
    .selectFrom('vouchers')
    .select(['id', 'product_id', 'expires_at', 'order_id'])
    // Where the secret changed with the start that took the key into the database, two of them count.
    .where('code_hash', 'in', secrets.hashes('voucher', code))
    .executeTakeFirst()

/** Locks a voucher until the transaction ends; as with a SIM pack, before the order that refers to it is written. */
export async function lockVoucher(trx: Trx, id: string): Promise<void> {
  await trx.selectFrom('vouchers').select('id').where('id', '=', id).forUpdate().execute()
}

/** Takes a voucher for an order; false when another order has it or it has expired. */
export async function reserveVoucher(trx: Trx, id: string, orderId: string, now: Temporal.Instant): Promise<boolean> {
  const result = await trx
    .updateTable('vouchers')
    .set({ order_id: orderId })
    .where('id', '=', id)
    .where('order_id', 'is', null)
    .where('expires_at', '>', toDate(now))
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function freeVoucher(trx: Trx, orderId: string): Promise<void> {
  await trx
    .updateTable('vouchers')
    .set({ order_id: null })
    .where('order_id', '=', orderId)
    .where('redeemed_at', 'is', null)
    .execute()
}

export async function redeemVoucher(trx: Trx, id: string, at: Temporal.Instant): Promise<void> {
  await trx
    .updateTable('vouchers')
    .set({ redeemed_at: toDate(at) })
    .where('id', '=', id)
    .execute()
}

/** Takes vouchers in; a code that is known already stays as it is. */
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
        code_hash: hashOf(secrets, code),
        product_id: productId,
        expires_at: toDate(expiresAt),
        order_id: null,
        redeemed_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}
