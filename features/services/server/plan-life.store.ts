import { type Selectable, sql } from 'kysely'
import { fromDate, toDate } from '#kit/server/clock.ts'
import type { Db, Tables, Trx } from '#kit/server/db.ts'
import { inIds, type Ids, queryPart } from '#kit/server/combined-query.ts'
import { type DeadlineKind, lockDeadlines } from './deadlines.store.ts'

export type ServiceRow = Selectable<Tables['services']>
export type ServiceSchedule = {
  scheduleId: string
  shortId: string
  orderId: string
  productId: string
  title: string
  expiresAt: Temporal.Instant
}

export const lockService = (trx: Trx, id: string): Promise<ServiceRow | undefined> =>
  trx.selectFrom('services').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

export const schedulesQueryPart = (db: Db, serviceIds: Ids) =>
  queryPart(
    db
      .selectFrom('schedules')
      .select(['service_id', 'order_id', 'product_id', 'expires_at'])
      .where('service_id', ...inIds(serviceIds)),
    { expires_at: true },
  )

export async function findServiceSchedule(db: Db | Trx, serviceId: string): Promise<ServiceSchedule | null> {
  const row = await db
    .selectFrom('schedules')
    .innerJoin('products', 'products.unique_id', 'schedules.product_id')
    .select(['schedules.id', 'short_id', 'order_id', 'product_id', 'products.title', 'expires_at'])
    .where('service_id', '=', serviceId)
    .executeTakeFirst()
  return row ? toServiceSchedule(row) : null
}

export type ServiceWithPlan = { service: ServiceRow; schedule: ServiceSchedule }

/** Finds services with their plans. The caller must have locked the services. */
export async function findServicesWithPlans(trx: Trx, ids: readonly string[]): Promise<Map<string, ServiceWithPlan>> {
  const rows = await trx
    .selectFrom('services')
    .innerJoin('schedules', 'schedules.service_id', 'services.id')
    .innerJoin('products', 'products.unique_id', 'schedules.product_id')
    .select(['services.id', 'user_id', 'services.order_id', 'iccid', 'msisdn', 'created_at', 'released_at', 'name'])
    .select(['schedules.id as schedule_id', 'short_id', 'schedules.order_id as plan_order_id', 'product_id'])
    .select(['products.title', 'expires_at'])
    .where('services.id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Map(
    rows.map(({ schedule_id: id, plan_order_id: orderId, short_id, product_id, title, expires_at, ...service }) => [
      service.id,
      { service, schedule: toServiceSchedule({ id, short_id, order_id: orderId, product_id, title, expires_at }) },
    ]),
  )
}

type ScheduleRow = LockedService['schedule'] & { title: string }

const toServiceSchedule = (row: ScheduleRow): ServiceSchedule => ({
  scheduleId: row.id,
  shortId: row.short_id,
  orderId: row.order_id,
  productId: row.product_id,
  title: row.title,
  expiresAt: fromDate(row.expires_at),
})

export type LockedService = {
  service: ServiceRow
  schedule: Pick<Selectable<Tables['schedules']>, 'id' | 'short_id' | 'order_id' | 'product_id' | 'expires_at'>
  pendingDeadlines: Set<DeadlineKind>
}

/**
 * Locks a service, its schedule and its pending deadlines until the transaction ends. Returns `null` if the service
 * does not exist or has been released.
 */
export const lockServiceWithSchedule = async (trx: Trx, serviceId: string): Promise<LockedService | null> =>
  (await lockServicesWithSchedules(trx, [serviceId])).get(serviceId) ?? null

/** Locks many services at once, in order of their IDs, and returns the services by ID. */
export async function lockServicesWithSchedules(
  trx: Trx,
  serviceIds: readonly string[],
): Promise<Map<string, LockedService>> {
  const { rows } = await sql<ServiceRow>`
    select * from services where id = any(${serviceIds}::uuid[]) order by id for no key update`.execute(trx)
  const services = rows.filter((service) => service.released_at === null)
  if (services.length === 0) return new Map()
  const ids = services.map(({ id }) => id)
  const getPendingDeadlines = await lockDeadlines(trx, ids)
  const schedules = await trx
    .selectFrom('schedules')
    .select(['service_id', 'id', 'short_id', 'order_id', 'product_id', 'expires_at'])
    .where('service_id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  const scheduleByService = new Map(schedules.map(({ service_id: serviceId, ...schedule }) => [serviceId, schedule]))
  return new Map(
    services.flatMap((service): [string, LockedService][] => {
      const schedule = scheduleByService.get(service.id)
      return schedule ? [[service.id, { service, schedule, pendingDeadlines: getPendingDeadlines(service.id) }]] : []
    }),
  )
}

export type StartedPlan = {
  serviceId: string
  orderId: string
  productId: string
  startsOn: string
  expiresAt: Temporal.Instant
}

export async function replaceSchedules(trx: Trx, plans: readonly StartedPlan[]): Promise<void> {
  await sql`update "schedules" set "order_id" = plan.order_id, product_id = plan.product_id, starts_on = plan.starts_on,
      expires_at = plan.expires_at
    from unnest(
      ${plans.map(({ serviceId }) => serviceId)}::uuid[],
      ${plans.map(({ orderId }) => orderId)}::uuid[],
      ${plans.map(({ productId }) => productId)}::text[],
      ${plans.map(({ startsOn }) => startsOn)}::date[],
      ${plans.map(({ expiresAt }) => toDate(expiresAt).toISOString())}::timestamptz[]
    ) as plan(service_id, order_id, product_id, starts_on, expires_at)
    where schedules.service_id = plan.service_id`.execute(trx)
}
