import { fromDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { getMidnight } from '#kit/server/plan-period.ts'
import { findServiceSchedule } from '#features/services/server/plan-life.store.ts'
import { computePlanDates } from '#features/services/server/services.ts'
import type { DeliveredOrder } from './order-type.ts'
import type { OrderDeps } from './orders.deps.ts'

export async function findPurchasedPeriod(
  db: Db | Trx,
  { clock, market }: Pick<OrderDeps, 'clock' | 'market'>,
  order: DeliveredOrder,
): Promise<{ startsAt: Temporal.Instant; expiresAt: Temporal.Instant }> {
  const plan = await findServiceSchedule(db, order.service_id)
  const beginsAt = order.starts_at ?? order.completed_at
  const length = order.product.length
  const { startsOn, expiresAt } = computePlanDates(beginsAt ? fromDate(beginsAt) : clock.now(), length, market.zone)
  return {
    startsAt: getMidnight(Temporal.PlainDate.from(startsOn), market.zone),
    expiresAt: plan?.orderId === order.id ? plan.expiresAt : expiresAt,
  }
}
