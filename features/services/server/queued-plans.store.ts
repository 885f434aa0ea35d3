import { sql } from 'kysely'
import { fromDate, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { inIds, type Ids, queryPart } from '#kit/server/combined-query.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    queued_plans: QueuedPlanRow
  }
}

export type QueuedPlanRow = {
  service_id: string
  order_id: string
  product_id: string
  length_days: number
  starts_at: Date
}

export type QueuedPlan = { orderId: string; productId: string; lengthDays: number; startsAt: Temporal.Instant }

export async function insertQueuedPlan(trx: Trx, serviceId: string, plan: QueuedPlan): Promise<void> {
  await trx
    .insertInto('queued_plans')
    .values({
      service_id: serviceId,
      order_id: plan.orderId,
      product_id: plan.productId,
      length_days: plan.lengthDays,
      starts_at: toDate(plan.startsAt),
    })
    .execute()
}

type QueuedPlanWithTitle = QueuedPlan & { title: string }

export const findQueuedPlan = async (db: Db | Trx, serviceId: string): Promise<QueuedPlanWithTitle | null> =>
  (await findQueuedPlans(db, [serviceId])).get(serviceId) ?? null

export async function findQueuedPlans(
  db: Db | Trx,
  serviceIds: readonly string[],
): Promise<Map<string, QueuedPlanWithTitle>> {
  const rows = await db
    .selectFrom('queued_plans')
    .innerJoin('products', 'products.unique_id', 'queued_plans.product_id')
    .selectAll('queued_plans')
    .select('products.title')
    .where('service_id', '=', sql<string>`any(${serviceIds}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.service_id, { ...toQueuedPlan(row), title: row.title }]))
}

export async function isPlanQueued(db: Db | Trx, orderId: string): Promise<boolean> {
  const row = await db.selectFrom('queued_plans').select('order_id').where('order_id', '=', orderId).executeTakeFirst()
  return row !== undefined
}

export const queuedPlansQueryPart = (db: Db, serviceIds: Ids) =>
  queryPart(
    db
      .selectFrom('queued_plans')
      .selectAll()
      .where('service_id', ...inIds(serviceIds)),
    { starts_at: true },
  )

export const queuedOrderIdsQuery = (db: Db, serviceIds: Ids) =>
  db
    .selectFrom('queued_plans')
    .select('order_id as id')
    .where('service_id', ...inIds(serviceIds))

export const mapQueuedPlansByService = (rows: QueuedPlanRow[]): Map<string, QueuedPlan> =>
  new Map(rows.map((row) => [row.service_id, toQueuedPlan(row)]))

export async function dequeuePlans(trx: Trx, serviceIds: readonly string[]): Promise<Map<string, QueuedPlan>> {
  const rows = await trx
    .deleteFrom('queued_plans')
    .where('service_id', '=', sql<string>`any(${serviceIds}::uuid[])`)
    .returningAll()
    .execute()
  return mapQueuedPlansByService(rows)
}

export async function dequeueOrderPlan(trx: Trx, serviceId: string, orderId: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('queued_plans')
    .where('service_id', '=', serviceId)
    .where('order_id', '=', orderId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

const toQueuedPlan = (row: {
  order_id: string
  product_id: string
  length_days: number
  starts_at: Date
}): QueuedPlan => ({
  orderId: row.order_id,
  productId: row.product_id,
  lengthDays: row.length_days,
  startsAt: fromDate(row.starts_at),
})
