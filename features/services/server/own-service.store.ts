import { sql } from 'kysely'
import type { Db, Trx } from '#kit/server/db.ts'
import { inIds, type Ids, queryPart, type Value } from '#kit/server/combined-query.ts'
import { preparedQuery } from '#kit/server/prepared-query.ts'
import { isUuid } from '#kit/server/uuid.ts'
import { serviceIdsQuery } from './services.store.ts'

const servicesWithPlanQuery = (db: Db | Trx) =>
  db
    .selectFrom('services')
    .innerJoin('schedules', 'schedules.service_id', 'services.id')
    .innerJoin('products', 'products.unique_id', 'schedules.product_id')
    .select([
      'services.id',
      'services.user_id',
      'services.msisdn',
      'services.iccid',
      'services.name',
      'services.released_at',
    ])
    .select(['schedules.id as schedule_id', 'short_id', 'product_id', 'expires_at'])
    // Select the plan's first day as text, because database drivers convert dates into instants.
    .select(sql<string>`starts_on::text`.as('starts_on'))
    .select(['products.title', 'products.sku', 'products.data_gb', 'products.length_days'])
    .where('services.released_at', 'is', null)

export const findServiceWithPlan = async (db: Db | Trx, id: string): Promise<ServiceWithPlanRow | null> =>
  (await servicesWithPlanQuery(db).where('services.id', '=', id).executeTakeFirst()) ?? null

export async function findOwnService(db: Db | Trx, userId: string, uuid: string): Promise<ServiceWithPlanRow | null> {
  if (!isUuid(uuid)) return null
  const [row] = await ownServiceQuery(db, { uuid, userId })
  return row ?? null
}
const ownServiceQuery = preparedQuery((db, { uuid, userId }: { uuid: string; userId: string }) =>
  servicesWithPlanQuery(db).where('services.id', '=', uuid).where('services.user_id', '=', userId),
)

/** Selects services with their plans. The caller must check who owns the services. */
export const servicesWithPlanQueryPart = (db: Db, ids: Ids) =>
  queryPart(servicesWithPlanQuery(db).where('services.id', ...inIds(ids)), { released_at: true, expires_at: true })

export const ownServiceIdQuery = (db: Db, userId: Value, uuid: string) =>
  serviceIdsQuery(db, userId).where('id', '=', sql<string>`nullif(${uuid}, '')::uuid`)

/**
 * Selects a service by its uuid. If `uuid` is empty, selects the customer's only service, or nothing if the customer
 * has several.
 */
export const namedOrOnlyServiceIdQuery = (db: Db, userId: Value, uuid: string) =>
  db
    .selectFrom('services')
    .select(sql<string>`(array_agg(id))[1]`.as('id'))
    .where('user_id', '=', userId)
    .where('released_at', 'is', null)
    .where(sql<boolean>`${uuid} in ('', id::text)`)
    .having(({ fn }) => fn.countAll(), '=', 1)

export type ServiceWithPlanRow = NonNullable<
  Awaited<ReturnType<ReturnType<typeof servicesWithPlanQuery>['executeTakeFirst']>>
>

export const currentOrFormerServiceQueryPart = (db: Db, userId: Value, uuid: string) =>
  queryPart(
    db
      .selectFrom('services')
      .select('id')
      .where('id', '=', sql<string>`nullif(${uuid}, '')::uuid`)
      .where('user_id', '=', userId),
    {},
  )

export const findCurrentOrFormerService = async (db: Db, userId: string, uuid: string) =>
  isUuid(uuid)
    ? db
        .selectFrom('services')
        .select(['id', 'msisdn'])
        .where('id', '=', uuid)
        .where('user_id', '=', userId)
        .executeTakeFirst()
    : undefined

export const listCurrentAndFormerServices = (db: Db, userId: string) =>
  db
    .selectFrom('services')
    .select(['id', 'msisdn', 'name', 'released_at'])
    .where('user_id', '=', userId)
    .orderBy(sql`released_at desc nulls first`)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
export type CurrentOrFormerService = Awaited<ReturnType<typeof listCurrentAndFormerServices>>[number]
