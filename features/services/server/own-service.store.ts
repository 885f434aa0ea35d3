import { sql } from 'kysely'
import type { Db, Trx } from '#kit/server/db.ts'
import { among, type Ids, question, type Value } from '#kit/server/read-together.ts'
import { compileOnce } from '#kit/server/compile-once.ts'
import { isUuid } from '#kit/server/uuid.ts'
import { idsOfServices } from './services.store.ts'

const servicesWithPlan = (db: Db | Trx) =>
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
    // Selected as text, because drivers convert a date into an instant.
    .select(sql<string>`starts_on::text`.as('starts_on'))
    .select(['products.title', 'products.sku', 'products.data_gb', 'products.length_days'])
    .where('services.released_at', 'is', null)

export const findServiceWithPlan = async (db: Db | Trx, id: string): Promise<OwnService | null> =>
  (await servicesWithPlan(db).where('services.id', '=', id).executeTakeFirst()) ?? null

export async function findOwnService(db: Db | Trx, userId: string, uuid: string): Promise<OwnService | null> {
  if (!isUuid(uuid)) return null
  const [row] = await readOwn(db, { uuid, userId })
  return row ?? null
}
const readOwn = compileOnce((db, { uuid, userId }: { uuid: string; userId: string }) =>
  servicesWithPlan(db).where('services.id', '=', uuid).where('services.user_id', '=', userId),
)

/** The caller must check who owns the services. */
export const servicesWithPlanAsked = (db: Db, ids: Ids) =>
  question(servicesWithPlan(db).where('services.id', ...among(ids)), { released_at: true, expires_at: true })

export const idOfOwnService = (db: Db, userId: Value, uuid: string) =>
  idsOfServices(db, userId).where('id', '=', sql<string>`nullif(${uuid}, '')::uuid`)

/** An empty `uuid` means the only service, and selects nothing when the customer has several. */
export const idOfNamedOrOnlyService = (db: Db, userId: Value, uuid: string) =>
  db
    .selectFrom('services')
    .select(sql<string>`(array_agg(id))[1]`.as('id'))
    .where('user_id', '=', userId)
    .where('released_at', 'is', null)
    .where(sql<boolean>`${uuid} in ('', id::text)`)
    .having(({ fn }) => fn.countAll(), '=', 1)

export type OwnService = NonNullable<Awaited<ReturnType<ReturnType<typeof servicesWithPlan>['executeTakeFirst']>>>

export const serviceEverAsked = (db: Db, userId: Value, uuid: string) =>
  question(
    db
      .selectFrom('services')
      .select('id')
      .where('id', '=', sql<string>`nullif(${uuid}, '')::uuid`)
      .where('user_id', '=', userId),
    {},
  )

export const findServiceEver = async (db: Db, userId: string, uuid: string) =>
  isUuid(uuid)
    ? db
        .selectFrom('services')
        .select(['id', 'msisdn'])
        .where('id', '=', uuid)
        .where('user_id', '=', userId)
        .executeTakeFirst()
    : undefined

export const listServicesEver = (db: Db, userId: string) =>
  db
    .selectFrom('services')
    .select(['id', 'msisdn', 'name', 'released_at'])
    .where('user_id', '=', userId)
    .orderBy(sql`released_at desc nulls first`)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
export type ServiceEver = Awaited<ReturnType<typeof listServicesEver>>[number]
