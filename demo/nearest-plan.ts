import type { Db } from '#kit/server/db.ts'

export type PlanDescription = { days: number; gb: number }

/**
 * Finds the plan closest to a description. Twice the requested amount counts as equally far off as half of it.
 * @throws if no plan is on sale
 */
export async function findNearestPlan(db: Db, { days, gb }: PlanDescription): Promise<string> {
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
  const nearestPlan = plans.toSorted(
    (one, other) =>
      logDistance(one.length_days, days) - logDistance(other.length_days, days) ||
      logDistance(one.data_gb, gb) - logDistance(other.data_gb, gb),
  )[0]
  if (!nearestPlan) throw new Error('no plan is on sale')
  return nearestPlan.unique_id
}

const logDistance = (one: number, other: number): number => Math.abs(Math.log2(one + 0.01) - Math.log2(other + 0.01))
