import { fromDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { midnight } from '#kit/server/plan-period.ts'
import { findScheduleOf } from '#features/services/server/plan-life.store.ts'
import { planDates } from '#features/services/server/services.ts'
import type { DeliveredOrder } from './kind.ts'
import type { OrderDeps } from './orders.deps.ts'

export async function periodOf(
  db: Db | Trx,
  { clock, market }: Pick<OrderDeps, 'clock' | 'market'>,
  order: DeliveredOrder,
): Promise<{ startsAt: Temporal.Instant; expiresAt: Temporal.Instant }> {
  const plan = await findScheduleOf(db, order.service_id)
  const begins = order.starts_at ?? order.completed_at
  const length = order.product.length
  const { startsOn, expiresAt } = planDates(begins ? fromDate(begins) : clock.now(), length, market.zone)
  return {
    startsAt: midnight(Temporal.PlainDate.from(startsOn), market.zone),
    expiresAt: plan?.orderId === order.id ? plan.expiresAt : expiresAt,
  }
}
