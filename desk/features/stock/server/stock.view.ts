import { sql } from 'kysely'
import { type Clock, toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'

const usagePeriodDays = 14

const getUsagePeriodStart = (clock: Clock): Date => toDate(clock.now().subtract({ hours: 24 * usagePeriodDays }))

/** Counts unused SIM packs by the import that they came from. The key `null` stands for packs without an import, such as the demo's. */
export async function countUnusedBySimLoad(db: Db): Promise<Map<string | null, number>> {
  const rows = await db
    .selectFrom('sim_packs')
    .select(({ fn }) => ['load_id', fn.countAll().as('left')])
    .where('order_id', 'is', null)
    .groupBy('load_id')
    .execute()
  return new Map(rows.map(({ load_id: load, left }) => [load, Number(left)]))
}

export async function readSimStock(db: Db, clock: Clock, left: ReadonlyMap<string | null, number>) {
  const loads = await db.selectFrom('sim_loads').select('id').where('state', '=', 'loaded').execute()
  const loadIds = [null, ...loads.map(({ id }) => id)]
  const { used } = await db
    .selectFrom('orders')
    .select(({ fn }) => fn.countAll().as('used'))
    .where('completed_at', '>', getUsagePeriodStart(clock))
    .where('kind', '=', 'activation')
    .executeTakeFirstOrThrow()
  return { unused: loadIds.reduce((sum, id) => sum + (left.get(id) ?? 0), 0), used: Number(used) }
}

export const estimateDaysLeft = ({ unused, used }: Pick<StockLevel, 'unused' | 'used'>): number | null =>
  used === 0 ? null : Math.floor((unused * usagePeriodDays) / used)

/**
 * Counts usable vouchers by plan. Vouchers without an order are grouped by product and batch, as in the index, so that
 * an index-only scan is enough.
 */
async function readUnusedVouchers(db: Db, clock: Clock): Promise<{ plan: string; unused: number }[]> {
  const batchCounts = db
    .selectFrom('vouchers')
    .select(({ fn }) => ['product_id', 'batch_id', fn.countAll().as('unused')])
    .where('order_id', 'is', null)
    .where('voided_at', 'is', null)
    .where('expires_at', '>', toDate(clock.now()))
    .groupBy(['product_id', 'batch_id'])
  const rows = await db
    .selectFrom(batchCounts.as('counted'))
    .innerJoin('products', 'products.unique_id', 'counted.product_id')
    .leftJoin('voucher_batches', 'voucher_batches.id', 'counted.batch_id')
    .select(({ fn }) => ['products.title as plan', fn.sum('counted.unused').as('unused')])
    .where(sql<boolean>`coalesce(voucher_batches.state, 'complete') = 'complete'`)
    .groupBy('products.title')
    .orderBy('products.title')
    .execute()
  return rows.map(({ plan, unused }) => ({ plan, unused: Number(unused) }))
}

async function readUsedVouchers(db: Db, clock: Clock): Promise<{ plan: string; used: number }[]> {
  const rows = await db
    .selectFrom('vouchers')
    .innerJoin('products', 'products.unique_id', 'vouchers.product_id')
    .select(({ fn }) => ['products.title as plan', fn.countAll().as('used')])
    .where('redeemed_at', '>', getUsagePeriodStart(clock))
    .groupBy('products.title')
    .execute()
  return rows.map(({ plan, used }) => ({ plan, used: Number(used) }))
}

/**
 * The stock of SIM packs (`plan` is `null`) or of one plan's vouchers. `unused` is the number that can still be sold, and `used` is the
 * number used in the last 14 days, from which we estimate how long the stock will last.
 */
export type StockLevel = { plan: string | null; unused: number; used: number }

export async function readStockLevels(db: Db, clock: Clock): Promise<StockLevel[]> {
  const sims = await readSimStock(db, clock, await countUnusedBySimLoad(db))
  return [{ plan: null, ...sims }, ...(await readVoucherLevels(db, clock))]
}

/** Returns the vouchers of each plan that has unused vouchers, or whose vouchers were used recently, by title. */
export async function readVoucherLevels(db: Db, clock: Clock): Promise<(StockLevel & { plan: string })[]> {
  const unusedByPlan = new Map((await readUnusedVouchers(db, clock)).map((each) => [each.plan, each.unused]))
  const used = new Map((await readUsedVouchers(db, clock)).map((each) => [each.plan, each.used]))
  const plans = [...new Set([...unusedByPlan.keys(), ...used.keys()])].toSorted()
  return plans.map((plan) => ({ plan, unused: unusedByPlan.get(plan) ?? 0, used: used.get(plan) ?? 0 }))
}

export const readPlans = (db: Db) =>
  db
    .selectFrom('products')
    .select(['unique_id', 'title', 'price_cents', 'hidden'])
    .where('product_type', '=', 1)
    .orderBy('hidden')
    .orderBy('price_cents')
    .execute()
