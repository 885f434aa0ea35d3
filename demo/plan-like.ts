import type { Db } from '#kit/server/db.ts'

export type PlanLike = { days: number; gb: number }

/** Twice the wanted amount counts as far as half of it. @throws if no plan is on sale */
export async function planLike(db: Db, { days, gb }: PlanLike): Promise<string> {
  const plans = await db
    .selectFrom('products')
    .select(['unique_id', 'length_days', 'data_gb'])
    .where('product_type', '=', 1)
    .where('sku', 'is not', null)
    .where('hidden', '=', false)
    .where('new_customer_only', '=', false)
    .orderBy('sort_order')
    .orderBy('unique_id')
    .execute()
  const nearest = plans.toSorted(
    (one, other) =>
      apart(one.length_days, days) - apart(other.length_days, days) ||
      apart(one.data_gb, gb) - apart(other.data_gb, gb),
  )[0]
  if (!nearest) throw new Error('no plan is on sale')
  return nearest.unique_id
}

const apart = (one: number, other: number): number => Math.abs(Math.log2(one + 0.01) - Math.log2(other + 0.01))
