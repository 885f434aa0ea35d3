import { type Selectable, sql } from 'kysely'
import { toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { SweptTable } from '#kit/server/backlog.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    usage_watch: WatchTable
  }
}

type WatchTable = {
  service_id: string
  /**
   * When usage is next checked, by the application's clock. While a worker holds a lease on the row, this is when the
   * lease expires.
   */
  due_at: Date | null
  taken: boolean
  cycle: Date | null
  last_threshold: number
  /** MB left at the last usage check, including add-ons. */
  left_mb: number | null
  looked_at: Date | null
}
export type UsageWatch = Selectable<WatchTable>

export const watchSweep: SweptTable = { queue: 'alerts.look', table: 'usage_watch', sweptBy: 'due_at' }

export type LeasedWatch = { serviceId: string; until: Temporal.Instant }

/** Schedules a service's next usage check. If a check is already in progress, its result is discarded. */
export const scheduleUsagePoll = (trx: Trx, serviceId: string, at: Temporal.Instant): Promise<void> =>
  scheduleUsagePolls(trx, new Map([[serviceId, at]]))

export async function scheduleUsagePolls(trx: Trx, pollTimes: ReadonlyMap<string, Temporal.Instant>): Promise<void> {
  const isoTimes = [...pollTimes.values()].map((pollTime) => toDate(pollTime).toISOString())
  await sql`
    insert into usage_watch (service_id, due_at)
    select * from unnest(${[...pollTimes.keys()]}::uuid[], ${isoTimes}::timestamptz[])
    on conflict (service_id) do update set due_at = excluded.due_at, taken = false`.execute(trx)
}

/** How long a worker's lease on a row lasts, which is far longer than a usage check can take. */
const leaseDuration = { minutes: 10 }

type LeaseLimits = {
  batch: number
  /** Maximum rows leased at once across all processes. */
  inHand: number
}

/**
 * Leases due rows, starting with the most overdue. Skips rows that another process has locked, and takes over rows
 * whose lease has expired.
 */
export async function leaseDueWatches(
  trx: Trx,
  now: Temporal.Instant,
  { batch, inHand }: LeaseLimits,
): Promise<LeasedWatch[]> {
  const until = now.add(leaseDuration)
  const leasedRows = trx
    .selectFrom('usage_watch')
    .select('service_id')
    .where('taken', '=', true)
    .where('due_at', '>', toDate(now))
    .limit(inHand)
  const { count } = await trx
    .selectFrom(leasedRows.as('held'))
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  const limit = Math.min(batch, inHand - count)
  if (limit <= 0) return []
  const rows = await trx
    .with(
      // Materialize the query, so that PostgreSQL applies its limit only once (see `leaseDueRows` in kit/server/retry-queue.ts).
      (cte) => cte('due').materialized(),
      (qb) =>
        qb
          .selectFrom('usage_watch')
          .select('service_id')
          .where('due_at', '<=', toDate(now))
          .orderBy('due_at')
          .limit(limit)
          .forUpdate()
          .skipLocked(),
    )
    .updateTable('usage_watch')
    .set({ due_at: toDate(until), taken: true })
    .where('service_id', 'in', (from) => from.selectFrom('due').select('service_id'))
    .returning('service_id')
    .execute()
  return rows.map(({ service_id }) => ({ serviceId: service_id, until }))
}

export const findLeasedWatch = (db: Db, { serviceId, until }: LeasedWatch): Promise<UsageWatch | undefined> =>
  db
    .selectFrom('usage_watch')
    .selectAll()
    .where('service_id', '=', serviceId)
    .where('taken', '=', true)
    .where('due_at', '=', toDate(until))
    .executeTakeFirst()

/**
 * Releases the lease and saves the changes. Returns false when the lease has been lost, in which case the caller must
 * discard its result.
 */
export async function releaseWatch(
  db: Db | Trx,
  { serviceId, until }: LeasedWatch,
  change: Partial<Omit<UsageWatch, 'service_id' | 'taken'>> & Pick<UsageWatch, 'due_at'>,
): Promise<boolean> {
  const row = await db
    .updateTable('usage_watch')
    .set({ ...change, taken: false })
    .where('service_id', '=', serviceId)
    .where('taken', '=', true)
    .where('due_at', '=', toDate(until))
    .returning('service_id')
    .executeTakeFirst()
  return row !== undefined
}

export const findWatch = (db: Db | Trx, serviceId: string): Promise<UsageWatch | undefined> =>
  db.selectFrom('usage_watch').selectAll().where('service_id', '=', serviceId).executeTakeFirst()

/**
 * Adds rows for services that have none, because a process still running an older version may have created a service
 * without one.
 */
export async function insertMissingWatches(db: Db, at: Temporal.Instant): Promise<void> {
  await db
    .insertInto('usage_watch')
    .columns(['service_id', 'due_at'])
    .expression((missingRows) =>
      missingRows
        .selectFrom('services')
        .select(['services.id', sql<Date>`${toDate(at)}::timestamptz`.as('due_at')])
        .where('released_at', 'is', null)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('usage_watch')
                .select('usage_watch.service_id')
                .whereRef('usage_watch.service_id', '=', 'services.id'),
            ),
          ),
        )
        .limit(1_000),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteWatches(trx: Trx, serviceIds: string[]): Promise<void> {
  if (serviceIds.length > 0) await trx.deleteFrom('usage_watch').where('service_id', 'in', serviceIds).execute()
}
