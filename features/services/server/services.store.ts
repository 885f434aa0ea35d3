import { type ColumnType, sql } from 'kysely'
import { toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { inIds, type Ids, queryPart, type Value } from '#kit/server/combined-query.ts'
import { isUuid } from '#kit/server/uuid.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    services: {
      id: string
      user_id: string
      order_id: string
      iccid: string
      msisdn: string
      created_at: Date
      released_at: Date | null
      name: ColumnType<string | null, string | null | undefined>
    }
    schedules: {
      id: string
      short_id: string
      service_id: string
      product_id: string
      order_id: string
      starts_on: string
      expires_at: Date
    }
  }
}

export async function insertService(
  trx: Trx,
  service: { id: string; userId: string; orderId: string; iccid: string; msisdn: string },
  at: Temporal.Instant,
): Promise<void> {
  await trx
    .insertInto('services')
    .values({
      id: service.id,
      user_id: service.userId,
      order_id: service.orderId,
      iccid: service.iccid,
      msisdn: service.msisdn,
      created_at: toDate(at),
      released_at: null,
    })
    .execute()
}

type NewSchedule = {
  id: string
  shortId: string
  serviceId: string
  orderId: string
  productId: string
  startsOn: string
  expiresAt: Temporal.Instant
}

export async function insertSchedule(trx: Trx, schedule: NewSchedule): Promise<void> {
  await trx
    .insertInto('schedules')
    .values({
      id: schedule.id,
      short_id: schedule.shortId,
      service_id: schedule.serviceId,
      product_id: schedule.productId,
      order_id: schedule.orderId,
      starts_on: schedule.startsOn,
      expires_at: toDate(schedule.expiresAt),
    })
    .execute()
}

export const listUserServices = (db: Db | Trx, userId: string) => servicesQuery(db, userId).execute()
export type ListedService = Awaited<ReturnType<typeof listUserServices>>[number]

export const findListedService = (db: Db | Trx, userId: string, { uuid, schedule, msisdn }: ServiceSelector) =>
  servicesQuery(db, userId)
    .$if(uuid !== undefined, (named) => named.where('services.id', '=', uuid && isUuid(uuid) ? uuid : null))
    .$if(schedule !== undefined, (named) =>
      named.where(({ eb, or }) =>
        or([eb('short_id', '=', schedule ?? ''), eb(sql`schedules.id::text`, '=', schedule ?? '')]),
      ),
    )
    .$if(msisdn !== undefined, (named) => named.where('services.msisdn', '=', msisdn ?? ''))
    .limit(1)
    .executeTakeFirst()

/** Selects a service by one or more fields, all of which must match. A schedule matches by either of its ids. */
type ServiceSelector = { uuid?: string | undefined; schedule?: string | undefined; msisdn?: string | undefined }

/** Selects some of a customer's services. All values are text, because they are bound to one prepared statement. */
export type ServicesPart = {
  /** The uuid of the first service to read. If it is empty or unknown, reading starts with the oldest service. */
  from: string
  limit: string
  /** The uuid of an additional service to read, or the short id of its schedule; empty for none. */
  named: string
}

export const servicesQueryPart = (db: Db, userId: Value, ids: Ids) =>
  queryPart(servicesQuery(db, userId).where('services.id', ...inIds(ids)), { expires_at: true })

export const servicesPartIdsQuery = (db: Db, userId: Value, part: ServicesPart) =>
  ownServicesQuery(db, userId)
    .select('services.id')
    .where(({ eb, or, selectFrom }) =>
      or([
        eb('services.id', 'in', followingServiceIdsQuery(db, userId, part)),
        eb(sql`services.id::text`, '=', part.named),
        eb('services.id', 'in', selectFrom('schedules').select('service_id').where('short_id', '=', part.named)),
      ]),
    )

const followingServiceIdsQuery = (db: Db, userId: Value, { from, limit }: ServicesPart) =>
  ownServicesQuery(db, userId)
    .leftJoin('services as first', (join) =>
      join.on('first.id', '=', sql<string>`nullif(${from}, '')::uuid`).onRef('first.user_id', '=', 'services.user_id'),
    )
    .select('services.id')
    .where(({ eb, or, refTuple }) =>
      or([
        eb('first.id', 'is', null),
        eb(
          refTuple('services.created_at', 'services.id'),
          '>=',
          refTuple('first.created_at', 'first.id').$castTo<[Date, string]>(),
        ),
      ]),
    )
    .orderBy('services.created_at')
    .orderBy('services.id')
    .limit(sql<number>`${limit}::int`)

const ownServicesQuery = (db: Db | Trx, userId: Value) =>
  db.selectFrom('services').where('services.user_id', '=', userId).where('services.released_at', 'is', null)

const servicesQuery = (db: Db | Trx, userId: Value) =>
  ownServicesQuery(db, userId)
    .innerJoin('schedules', 'schedules.service_id', 'services.id')
    .select([
      'services.id',
      'services.msisdn',
      'services.name',
      'schedules.id as schedule_id',
      'short_id',
      'product_id',
      'expires_at',
    ])
    // Select the plan's first day as text, because database drivers convert dates into instants.
    .select(sql<string>`starts_on::text`.as('starts_on'))
    .orderBy('services.created_at')
    .orderBy('services.id')

export const hasServices = async (db: Db | Trx, userId: string): Promise<boolean> =>
  (await ownServicesQuery(db, userId).select('services.id').limit(1).executeTakeFirst()) !== undefined

export const serviceIdsQuery = (db: Db, userId: Value) => ownServicesQuery(db, userId).select('services.id')

export function serviceProductsQueryPart(db: Db, ids: Ids) {
  const planProductIds = db
    .selectFrom('schedules')
    .select('product_id as id')
    .where('service_id', ...inIds(ids))
    .union(
      db
        .selectFrom('queued_plans')
        .select('product_id as id')
        .where('service_id', ...inIds(ids)),
    )
  const successorIds = db
    .selectFrom('products')
    .select('next_product_id as id')
    .where('unique_id', 'in', planProductIds)
  return queryPart(
    db
      .selectFrom('products')
      .selectAll()
      .where(({ eb, or }) => or([eb('unique_id', 'in', planProductIds), eb('unique_id', 'in', successorIds)])),
    {},
  )
}

export async function findServices(db: Db | Trx, ids: readonly string[]) {
  const rows = await db
    .selectFrom('services')
    .selectAll()
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export const findService = (db: Db | Trx, id: string) =>
  db.selectFrom('services').selectAll().where('id', '=', id).executeTakeFirst()

/** Whether a phone number belongs to one of our SIM packs or services. A released service's number does not count. */
export async function isOwnNumber(db: Db | Trx, msisdn: string): Promise<boolean> {
  const [simPack, service] = [
    await db.selectFrom('sim_packs').select('iccid').where('msisdn', '=', msisdn).executeTakeFirst(),
    await db
      .selectFrom('services')
      .select('id')
      .where('msisdn', '=', msisdn)
      .where('released_at', 'is', null)
      .executeTakeFirst(),
  ]
  return simPack !== undefined || service !== undefined
}

/**
 * Locks all of a customer's services until the transaction ends. Fails at once if another transaction has locked one of
 * them, because that transaction may be waiting for the customer's account.
 * @throws the database's error, for `isRowLocked`, when another transaction has locked a service
 */
export const lockUserServices = (trx: Trx, userId: string) =>
  trx.selectFrom('services').selectAll().where('user_id', '=', userId).orderBy('id').forUpdate().noWait().execute()

export async function reassignServices(trx: Trx, fromUserId: string, toUserId: string): Promise<void> {
  await trx.updateTable('services').set({ user_id: toUserId }).where('user_id', '=', fromUserId).execute()
}

export async function changeNumber(trx: Trx, serviceId: string, msisdn: string): Promise<void> {
  await trx.updateTable('services').set({ msisdn }).where('id', '=', serviceId).execute()
}

export async function renameService(
  db: Db,
  { userId, uuid }: { userId: string; uuid: string },
  name: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('services')
    .set({ name })
    .where('id', '=', uuid)
    .where('user_id', '=', userId)
    .where('released_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function eraseNumberNames(trx: Trx, userId: string): Promise<void> {
  await trx.updateTable('services').set({ name: null }).where('user_id', '=', userId).execute()
}

export async function eraseReleasedNumbers(trx: Trx, userId: string): Promise<void> {
  await trx
    .updateTable('services')
    .set({ msisdn: '' })
    .where('user_id', '=', userId)
    .where('released_at', 'is not', null)
    .execute()
}
