import { sql } from 'kysely'
import { realNow, toDate } from './clock.ts'
import { type Db, transact, type Trx } from './db.ts'
import { isDueInRealTime } from './due-conditions.ts'
import type { Upkeep } from './sweeps.ts'

/**
 * A table whose rows a worker processes until their outcome is stored. The column `retry_at timestamptz` says, in real time, when a worker
 * should look at the row next; it is null once the row is done. The column has an index on its non-null values.
 */
export type RetryQueue = {
  queue: string
  table: string
  key: string
  /** How long a lease lasts, in seconds. A worker that leases a row finishes within this time, renews the lease, or has died. */
  leaseSeconds: number
  leasedUntil?: string
  /** Name of a column that is true for rows that nobody is waiting for. These rows are leased last. */
  comesLast?: string
  /**
   * Whether the column `tries` counts only failed attempts. In other tables, `tries` also counts status polls for an operation that is
   * still running.
   */
  countsFailures?: boolean
  /**
   * Number of failed attempts after which a row is given up and `retry_at` becomes null. Without a maximum, a row is retried until it has
   * an outcome.
   */
  maxTries?: number
}

type Columns = Record<string, string | number | Date>

const addSecondsToNow = (seconds: number): Date => toDate(realNow().add({ milliseconds: Math.round(seconds * 1_000) }))

const whereAllEqual = (columns: Columns) =>
  sql.join(
    Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
    sql` and `,
  )

const maxLeasedRows = 50

/**
 * Leases due rows until `until` and returns their keys. Rows that someone is waiting for come first, then the most overdue. Rows that
 * another worker is leasing at the same time are skipped.
 */
export async function leaseDueRows(
  trx: Trx,
  { table, key, leaseSeconds, leasedUntil, comesLast }: RetryQueue,
  limit = maxLeasedRows,
  until = addSecondsToNow(leaseSeconds),
): Promise<string[]> {
  const now = toDate(realNow())
  const free = leasedUntil ? sql`and (${sql.ref(leasedUntil)} is null or ${sql.ref(leasedUntil)} < ${now})` : sql``
  const order = comesLast ? sql`${sql.ref(comesLast)}, retry_at` : sql`retry_at`
  // Materialized so that the CTE runs once. PostgreSQL may run a subquery again for each row, and each run would lease `limit` more rows.
  const { rows } = await sql<{ key: string }>`
    with due as materialized (
      select ${sql.ref(key)} from ${sql.table(table)} where retry_at <= ${now} ${free}
      order by ${order} limit ${limit} for update skip locked
    )
    update ${sql.table(table)} set retry_at = ${until}
    where ${sql.ref(key)} in (select ${sql.ref(key)} from due)
    returning ${sql.ref(key)} as key`.execute(trx)
  return rows.map((row) => row.key)
}

/** Leases one row. Returns false if the row is leased by another worker, is not due yet, or is already done. */
export async function lease(db: Db, { table, key, leaseSeconds }: RetryQueue, value: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set retry_at = ${addSecondsToNow(leaseSeconds)}
    where ${sql.ref(key)} = ${value} and retry_at <= ${toDate(realNow())}`.execute(db)
  return numAffectedRows === 1n
}

/** A leased row. `until` is when the lease expires, in milliseconds of real time. The row's `retry_at` has the same value. */
export type Lease = { key: string; until: number }

/** Renews a lease and returns when it now expires, or `null` if the row has since been leased by another worker, postponed or completed. */
export async function renewLease(
  db: Db,
  { table, key, leaseSeconds }: RetryQueue,
  lease: Lease,
): Promise<number | null> {
  const until = addSecondsToNow(leaseSeconds)
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set retry_at = ${until}
    where ${sql.ref(key)} = ${lease.key} and retry_at = ${new Date(lease.until)}`.execute(db)
  return numAffectedRows === 1n ? until.getTime() : null
}

/**
 * Postpones a row's next attempt, and counts the current attempt in `tries` unless `change` says otherwise. Does nothing if the row is
 * done, or if a column in `row` has changed since the caller read it, because whoever changed it has set the next attempt.
 */
export async function scheduleRetry(
  db: Db | Trx,
  { table }: RetryQueue,
  row: Columns,
  { seconds, change = {} }: { seconds: number; change?: Columns },
): Promise<void> {
  const assignments = Object.entries({ tries: sql`tries + 1`, ...change }).map(
    ([name, value]) => sql`${sql.ref(name)} = ${value}`,
  )
  await sql`
    update ${sql.table(table)} set retry_at = ${addSecondsToNow(seconds)}, ${sql.join(assignments)}
    where ${whereAllEqual(row)} and retry_at is not null`.execute(db)
}

/** Makes waiting rows due immediately: all of them, or only those with these column values. Returns whether there were any. */
export async function retryNow(db: Db | Trx, { table }: RetryQueue, row: Columns = {}): Promise<boolean> {
  const now = toDate(realNow())
  const rowFilter = Object.keys(row).length > 0 ? sql`and ${whereAllEqual(row)}` : sql``
  const { numAffectedRows = 0n } =
    await sql`update ${sql.table(table)} set retry_at = ${now} where retry_at > ${now} ${rowFilter}`.execute(db)
  return numAffectedRows > 0n
}

/** Makes a leased row due immediately if its work has not started. Does nothing if another worker has leased the row since. */
export async function releaseLease(db: Db, retries: RetryQueue, { key, until }: RowJob): Promise<void> {
  const leasedKey = { [retries.key]: key }
  await retryNow(db, retries, until === undefined ? leasedKey : { ...leasedKey, retry_at: new Date(until) })
}

/** Returns the seconds until the next attempt, doubling with each attempt up to `most`. */
export const computeBackOffSeconds = (tries: number, most: number): number => Math.min(most, 2 ** Math.min(tries, 30))

const maxPauseSeconds = 60

/**
 * Counts a failed attempt for a row in a table with `maxTries`, then postpones the next attempt or gives the row up. Returns `null` if the
 * row is done.
 */
export async function countFailure(
  db: Db,
  { table, key, maxTries }: RetryQueue,
  value: string,
): Promise<{ tries: number; isLast: boolean } | null> {
  const pause = sql`least(${maxPauseSeconds}, 2 ^ least(tries, 30)) * interval '1 second'`
  const { rows } = await sql<{ tries: number; isLast: boolean }>`
    update ${sql.table(table)} set tries = tries + 1,
      retry_at = case when tries + 1 < ${maxTries} then ${toDate(realNow())}::timestamptz + ${pause} end
    where ${sql.ref(key)} = ${value} and retry_at is not null
    returning tries, retry_at is null as "isLast"`.execute(db)
  return rows[0] ?? null
}

/** Data for a row's job. `until`: when the row's lease expires, in milliseconds of real time, if known. */
export type RowJob = { key: string; until?: number }

type JobStarter = {
  wants(queue: string): number
  takeOver(trx: Trx | Db, queue: string, data: RowJob): void
  fetchMore(trx: Trx | Db, queue: string): void
}
type RetryDeps = { db: Db; jobs: JobStarter }

/** Leases as many due rows as this process has room for, and starts their jobs. Resolves to true if there may be more. */
export const fetchDueRows = ({ db, jobs }: RetryDeps, retries: RetryQueue): Promise<boolean> =>
  transact(db, async (trx) => {
    const maxJobs = jobs.wants(retries.queue)
    const until = addSecondsToNow(retries.leaseSeconds)
    const keys = maxJobs > 0 ? await leaseDueRows(trx, retries, maxJobs, until) : []
    for (const key of keys) jobs.takeOver(trx, retries.queue, { key, until: until.getTime() })
    return keys.length === maxJobs
  })

const fetchEveryMs = 400

export const pollDueRows = (deps: RetryDeps, retries: RetryQueue, everyMs = fetchEveryMs): Upkeep => ({
  name: `${retries.table}.retries`,
  everyMs,
  isDue: isDueInRealTime(retries.table, 'retry_at'),
  isQuick: true,
  async run() {
    if (await fetchDueRows(deps, retries)) deps.jobs.fetchMore(deps.db, retries.queue)
  },
})
