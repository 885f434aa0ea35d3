import { fromDate, realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { Json } from '#kit/server/json.ts'
import { inIds, type Ids, queryPart } from '#kit/server/combined-query.ts'
import type { Balance } from '#providers/network/usage.port.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    usage_readings: { service_id: string; kind: string; reading: Json<unknown>; fetched_at: Date; read_at: Date }
  }
}

/**
 * A usage reading is reused for this many seconds, so that repeated views cause only one network request per service.
 */
const usageReadingLifetimeSeconds = 15

export const summaryReadingKind = 'summary'

export type Reading<T> = { data: T; readAt: Temporal.Instant }

/** `since` is the start of the current cycle on the application's clock. Earlier usage readings are ignored. */
type ReadingWindow = { now: Temporal.Instant; since: Temporal.Instant }

/** Finds a current usage reading. Moving the demo's clock makes a reading expire too. */
export async function findReading<T>(
  db: Db,
  serviceId: string,
  kind: string,
  { now, since }: ReadingWindow,
): Promise<Reading<T> | null> {
  const readingLifetime = { seconds: usageReadingLifetimeSeconds }
  const row = await readingsQuery(db, serviceId, kind, since)
    .where('fetched_at', '>', toDate(realNow().subtract(readingLifetime)))
    .where('read_at', '>', toDate(now.subtract(readingLifetime)))
    .executeTakeFirst()
  return row ? { data: row.reading as T, readAt: fromDate(row.read_at) } : null
}

/**
 * Finds the current cycle's last usage reading, at most a day old. Pages show it with its time while the network is not
 * responding.
 */
export async function findLastReading<T>(
  db: Db,
  serviceId: string,
  kind: string,
  { now, since }: ReadingWindow,
): Promise<Reading<T> | null> {
  const row = await readingsQuery(db, serviceId, kind, since)
    .where('read_at', '>', toDate(now.subtract({ hours: 24 })))
    .executeTakeFirst()
  return row ? { data: row.reading as T, readAt: fromDate(row.read_at) } : null
}

export const summariesQueryPart = (db: Db, ids: Ids) =>
  queryPart(
    summariesQuery(db, ids).select(({ ref }) => ['read_at', ref('reading').$castTo<Balance[]>().as('reading')]),
    { read_at: true },
  )

const summariesQuery = (db: Db, ids: Ids) =>
  db
    .selectFrom('usage_readings')
    .where('service_id', ...inIds(ids))
    .where('kind', '=', summaryReadingKind)

const readingsQuery = (db: Db, serviceId: string, kind: string, since: Temporal.Instant) =>
  db
    .selectFrom('usage_readings')
    .select(['reading', 'read_at'])
    .where('service_id', '=', serviceId)
    .where('kind', '=', kind)
    .where('read_at', '>=', toDate(since))

export async function saveReading(
  db: Db,
  serviceId: string,
  kind: string,
  { data, readAt }: Reading<unknown>,
): Promise<void> {
  const row = { reading: JSON.stringify(data), fetched_at: toDate(realNow()), read_at: toDate(readAt) }
  await db
    .insertInto('usage_readings')
    .values({ service_id: serviceId, kind, ...row })
    .onConflict((conflict) => conflict.columns(['service_id', 'kind']).doUpdateSet(row))
    .execute()
}

/** Deletes a service's usage readings after a purchase, because they do not include the purchase. */
export async function purgeServiceReadings(trx: Trx, serviceId: string): Promise<void> {
  await trx.deleteFrom('usage_readings').where('service_id', '=', serviceId).execute()
}

/**
 * Deletes usage readings that will not be shown again. Details contain the numbers that a customer called or texted;
 * summaries contain none and are kept for a day.
 */
export async function purgeReadings(db: Db): Promise<void> {
  const subtractFromNow = (duration: Temporal.DurationLike) => toDate(realNow().subtract(duration))
  await db
    .deleteFrom('usage_readings')
    .where('fetched_at', '<', subtractFromNow({ minutes: 10 }))
    .where((row) =>
      row.or([row('kind', '!=', summaryReadingKind), row('fetched_at', '<', subtractFromNow({ hours: 24 }))]),
    )
    .execute()
}

export async function deleteReadings(trx: Trx, serviceIds: string[]): Promise<void> {
  if (serviceIds.length > 0) await trx.deleteFrom('usage_readings').where('service_id', 'in', serviceIds).execute()
}
