import { toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { inIds, type Ids, queryPart } from '#kit/server/combined-query.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    cancelled_plans: { order_id: string; service_id: string; cancelled_at: Date }
  }
}

export async function insertCancelledPlan(
  trx: Trx,
  { orderId, serviceId, at }: { orderId: string; serviceId: string; at: Temporal.Instant },
): Promise<void> {
  await trx
    .insertInto('cancelled_plans')
    .values({ order_id: orderId, service_id: serviceId, cancelled_at: toDate(at) })
    .execute()
}

export async function deleteCancelledPlan(trx: Trx, orderId: string): Promise<void> {
  await trx.deleteFrom('cancelled_plans').where('order_id', '=', orderId).execute()
}

export async function countCancelledPlans(db: Db | Trx, serviceId: string, since: Temporal.Instant): Promise<number> {
  const { count } = await db
    .selectFrom('cancelled_plans')
    .select(({ fn }) => fn.countAll<string | number>().as('count'))
    .where('service_id', '=', serviceId)
    .where('cancelled_at', '>', toDate(since))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const findLastCancelledPlan = (db: Db | Trx, serviceId: string) =>
  db
    .selectFrom('cancelled_plans')
    .innerJoin('orders', 'orders.id', 'cancelled_plans.order_id')
    .select(['orders.id', 'orders.state', 'orders.renews_order_id'])
    .where('cancelled_plans.service_id', '=', serviceId)
    .orderBy('cancelled_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/**
 * Finds plans that are being cancelled. There are few cancelled plans but many orders, so the subquery makes PostgreSQL
 * look up each order by its id.
 */
export const cancellingPlansQueryPart = (db: Db, serviceIds: Ids) =>
  queryPart(
    db
      .selectFrom('cancelled_plans')
      .select('cancelled_plans.service_id')
      .where('cancelled_plans.service_id', ...inIds(serviceIds))
      .where(
        (from) => from.selectFrom('orders').select('state').whereRef('orders.id', '=', 'cancelled_plans.order_id'),
        '=',
        'cancelling',
      ),
    {},
  )
