import { fromDate, realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { Json } from '#kit/server/json.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    usage_readings: { service_id: string; kind: string; reading: Json<unknown>; fetched_at: Date; read_at: Date }
  }
}

/** A reading is shown again for this long, so that a look at ten services, and at them again, asks the network for each once. */
const readingSeconds = 15

export type Reading<T> = { data: T; readAt: Temporal.Instant }

/**
 * What the network said lately. `since` is the present cycle's start on the product's clock: of the cycle before it says nothing.
 * A clock that was moved makes a reading old, too.
 */
export async function findReading<T>(
  db: Db,
  serviceId: string,
  kind: string,
  { now, since }: { now: Temporal.Instant; since: Temporal.Instant },
): Promise<Reading<T> | null> {
  const ago = { seconds: readingSeconds }
  const row = await db
    .selectFrom('usage_readings')
    .select(['reading', 'read_at'])
    .where('service_id', '=', serviceId)
    .where('kind', '=', kind)
    .where('fetched_at', '>', toDate(realNow().subtract(ago)))
    .where('read_at', '>=', toDate(since))
    .where('read_at', '>', toDate(now.subtract(ago)))
    .executeTakeFirst()
  return row ? { data: row.reading as T, readAt: fromDate(row.read_at) } : null
}

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

/** What was bought just now is not in them. */
export async function purgeReadingsOf(trx: Trx, serviceId: string): Promise<void> {
  await trx.deleteFrom('usage_readings').where('service_id', '=', serviceId).execute()
}

/** Removes what will not be shown again: it says who called whom. */
export async function purgeReadings(db: Db): Promise<void> {
  await db
    .deleteFrom('usage_readings')
    .where('fetched_at', '<', toDate(realNow().subtract({ minutes: 10 })))
    .execute()
}
