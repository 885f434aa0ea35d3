import type { Selectable } from 'kysely'
import { fromDate, toDate } from '#kit/server/clock.ts'
import type { Db, Tables, Trx } from '#kit/server/db.ts'
import { type Ids, question } from '#kit/server/read-together.ts'
import { writeInPassing } from '#kit/server/write-in-passing.ts'
import { type DeadlineKind, lockDeadlines } from './deadlines.store.ts'

export type ServiceRow = Selectable<Tables['services']>
export type ScheduleOfService = {
  scheduleId: string
  shortId: string
  orderId: string
  productId: string
  title: string
  expiresAt: Temporal.Instant
}

export const lockService = (trx: Trx, id: string): Promise<ServiceRow | undefined> =>
  trx.selectFrom('services').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** The plans of these services, asked beside other things. */
export const schedulesAsked = (db: Db, serviceIds: Ids) =>
  question(
    db
      .selectFrom('schedules')
      .select(['service_id', 'order_id', 'product_id', 'expires_at'])
      .where('service_id', 'in', serviceIds),
    { expires_at: true },
  )

export async function findScheduleOf(db: Db | Trx, serviceId: string): Promise<ScheduleOfService | null> {
  const row = await db
    .selectFrom('schedules')
    .innerJoin('products', 'products.unique_id', 'schedules.product_id')
    .select(['schedules.id', 'short_id', 'order_id', 'product_id', 'products.title', 'expires_at'])
    .where('service_id', '=', serviceId)
    .executeTakeFirst()
  if (!row) return null
  return {
    scheduleId: row.id,
    shortId: row.short_id,
    orderId: row.order_id,
    productId: row.product_id,
    title: row.title,
    expiresAt: fromDate(row.expires_at),
  }
}

export type LockedService = {
  service: ServiceRow
  schedule: Pick<Selectable<Tables['schedules']>, 'id' | 'short_id' | 'order_id' | 'product_id' | 'expires_at'>
  pendingDeadlines: Set<DeadlineKind>
}

/** A service with its schedule and the deadlines still to come, locked until the transaction ends; null without a customer. */
export async function lockServiceWithSchedule(trx: Trx, serviceId: string): Promise<LockedService | null> {
  const service = await lockService(trx, serviceId)
  if (!service || service.released_at) return null
  const pendingDeadlines = await lockDeadlines(trx, serviceId)
  const schedule = await trx
    .selectFrom('schedules')
    .select(['id', 'short_id', 'order_id', 'product_id', 'expires_at'])
    .where('service_id', '=', serviceId)
    .executeTakeFirst()
  return schedule ? { service, schedule, pendingDeadlines } : null
}

/** Another plan takes the place of the one before; its short_id stays. */
export async function replaceSchedule(
  trx: Trx,
  serviceId: string,
  plan: { orderId: string; productId: string; startsOn: string; expiresAt: Temporal.Instant },
): Promise<void> {
  await writeInPassing(
    trx,
    trx
      .updateTable('schedules')
      .set({
        order_id: plan.orderId,
        product_id: plan.productId,
        starts_on: plan.startsOn,
        expires_at: toDate(plan.expiresAt),
      })
      .where('service_id', '=', serviceId),
  )
}
