import type { PlanShape } from './plans.ts'

/** Returns the plans of the given length that can be bought. A plan without a SKU is not for sale. */
export function filterPlansByLength<P extends PlanShape & { sku: string | null }>(
  plans: readonly P[],
  lengthDays: number,
): P[] {
  return plans.filter((plan) => plan.sku && plan.length === lengthDays)
}

export function groupPlansByData<P extends PlanShape>(plans: readonly P[]): { data_gb: number; plans: P[] }[] {
  const rows = Map.groupBy(plans, (plan) => plan.data_gb ?? 0)
  return [...rows]
    .map(([data_gb, row]) => ({ data_gb, plans: row.toSorted((a, b) => a.length - b.length) }))
    .toSorted((a, b) => a.data_gb - b.data_gb)
}

export function sortByOrder<P extends { sort_order: number }>(products: readonly P[]): P[] {
  return products.toSorted((a, b) => a.sort_order - b.sort_order)
}
