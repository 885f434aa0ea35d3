import type { Db } from '#kit/server/db.ts'
import type { ApprovalRequest } from '#desk/features/approvals/server/approvals.store.ts'

export type RequestedVouchers = { kind: 'vouchers'; title: string; count: number; expires: string; worthCents: number }

export async function describeVouchers(
  db: Db,
  approvals: ApprovalRequest<'vouchers'>[],
): Promise<[string, RequestedVouchers][]> {
  const plans = await findPlans(
    db,
    approvals.map(({ payload }) => payload.product_id),
  )
  return approvals.map(({ id, payload: { count, product_id: plan, expires } }) => {
    const { title, cents } = plans.get(plan) ?? { title: plan, cents: 0 }
    return [id, { kind: 'vouchers', title, count, expires, worthCents: count * cents }]
  })
}

export async function findPlans(db: Db, ids: string[]): Promise<Map<string, { title: string; cents: number }>> {
  if (ids.length === 0) return new Map()
  const plans = await db
    .selectFrom('products')
    .select(['unique_id', 'title', 'price_cents'])
    .where('unique_id', 'in', [...new Set(ids)])
    .execute()
  return new Map(plans.map((plan) => [plan.unique_id, { title: plan.title, cents: plan.price_cents }]))
}
