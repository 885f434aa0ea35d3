import { sql } from 'kysely'
import { type Clock, toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'

/** The pace of so many days says how long what is left lasts. */
const paceDays = 14

/** Unused SIM packs by their load; null is for those of before loads. */
export async function leftOfLoads(db: Db): Promise<Map<string | null, number>> {
  const rows = await db
    .selectFrom('sim_packs')
    .select(({ fn }) => ['load_id', fn.countAll().as('left')])
    .where('order_id', 'is', null)
    .groupBy('load_id')
    .execute()
  return new Map(rows.map(({ load_id: load, left }) => [load, Number(left)]))
}

/** SIM packs for sale, and how many were used in the days that the pace is taken of. */
export async function readSims(db: Db, clock: Clock, left: ReadonlyMap<string | null, number>) {
  const loads = await db.selectFrom('sim_loads').select('id').where('state', '=', 'loaded').execute()
  const forSale = [null, ...loads.map(({ id }) => id)]
  const { used } = await db
    .selectFrom('orders')
    .select(({ fn }) => fn.countAll().as('used'))
    .where('completed_at', '>', toDate(clock.now().subtract({ hours: 24 * paceDays })))
    .where('kind', '=', 'activation')
    .executeTakeFirstOrThrow()
  return { unused: forSale.reduce((sum, id) => sum + (left.get(id) ?? 0), 0), used: Number(used) }
}

/** For how many days so many last; null where none was used, as nobody knows then. */
export const daysLeft = ({ unused, used }: { unused: number; used: number }): number | null =>
  used === 0 ? null : Math.floor((unused * paceDays) / used)

/** Vouchers that can be used, by their plan. */
export async function readUnusedVouchers(db: Db, clock: Clock): Promise<{ plan: string; unused: number }[]> {
  const rows = await db
    .selectFrom('vouchers')
    .leftJoin('voucher_batches', 'voucher_batches.id', 'vouchers.batch_id')
    .innerJoin('products', 'products.unique_id', 'vouchers.product_id')
    .select(({ fn }) => ['products.title as plan', fn.countAll().as('unused')])
    .where('order_id', 'is', null)
    .where('voided_at', 'is', null)
    .where('vouchers.expires_at', '>', toDate(clock.now()))
    .where(sql<boolean>`coalesce(voucher_batches.state, 'complete') = 'complete'`)
    .groupBy('products.title')
    .orderBy('products.title')
    .execute()
  return rows.map(({ plan, unused }) => ({ plan, unused: Number(unused) }))
}

/** The plans that vouchers can be made for, the cheapest first. */
export const readPlans = (db: Db) =>
  db
    .selectFrom('products')
    .select(['unique_id', 'title', 'price_cents', 'hidden'])
    .where('product_type', '=', 1)
    .orderBy('hidden')
    .orderBy('price_cents')
    .execute()
