import { sql } from 'kysely'
import { realNow, toDate } from './clock.ts'
import { type Db, transact, type Trx } from './db.ts'
import { dueInRealTimeBy } from './due.ts'
import type { Jobs } from './jobs.ts'
import type { Upkeep } from './sweeps.ts'

/**
 * A table whose rows are worked on until their outcome is written down. It has `retry_at timestamptz`, real time: when a
 * worker looks at the row next, null once it is over; with an index where it is not null.
 */
export type Retries = {
  table: string
  /** The column by which a job names a row. */
  key: string
  /** A worker that has leased a row is at it for less than this, or dead. */
  leaseSeconds: number
  /** A column with the end of a lease of the row's own, where one worker may be at it for longer. */
  leasedUntil?: string
  /** A column that is true of rows for which nobody waits: they come after all others. */
  comesLast?: string
  /** The queue of its jobs, where no more rows are leased than the process takes over: of many the rest waits, for all processes. */
  queue?: string
}

type Columns = Record<string, string | number>

const inSeconds = (seconds: number): Date => toDate(realNow().add({ milliseconds: Math.round(seconds * 1_000) }))

const all = (columns: Columns) =>
  sql.join(
    Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
    sql` and `,
  )

const mostLeased = 50

/**
 * Leases the rows whose time has come until `until`, those first for which somebody waits, of these the longest overdue, and answers
 * their keys. What others are leasing is left to them.
 */
export async function leaseDue(
  trx: Trx,
  { table, key, leaseSeconds, leasedUntil, comesLast }: Retries,
  limit = mostLeased,
  until = inSeconds(leaseSeconds),
): Promise<string[]> {
  const now = toDate(realNow())
  const free = leasedUntil ? sql`and (${sql.ref(leasedUntil)} is null or ${sql.ref(leasedUntil)} < ${now})` : sql``
  const order = comesLast ? sql`${sql.ref(comesLast)}, retry_at` : sql`retry_at`
  const { rows } = await sql<{ key: string }>`
    update ${sql.table(table)} set retry_at = ${until}
    where ${sql.ref(key)} in (
      select ${sql.ref(key)} from ${sql.table(table)} where retry_at <= ${now} ${free}
      order by ${order} limit ${limit} for update skip locked
    )
    returning ${sql.ref(key)} as key`.execute(trx)
  return rows.map((row) => row.key)
}

/** Leases one row; false while another worker has it, before its time has come, and once it is over. */
export async function lease(db: Db, { table, key, leaseSeconds }: Retries, value: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set retry_at = ${inSeconds(leaseSeconds)}
    where ${sql.ref(key)} = ${value} and retry_at <= ${toDate(realNow())}`.execute(db)
  return numAffectedRows === 1n
}

/** A row that somebody has until an instant of real time, in milliseconds: what its `retry_at` was set to. */
export type Lease = { key: string; until: number }

/** Has a lease go on, and answers its new end. Null when the row was leased by another, put off, or done with since. */
export async function renewLease(db: Db, { table, key, leaseSeconds }: Retries, lease: Lease): Promise<number | null> {
  const until = inSeconds(leaseSeconds)
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set retry_at = ${until}
    where ${sql.ref(key)} = ${lease.key} and retry_at = ${new Date(lease.until)}`.execute(db)
  return numAffectedRows === 1n ? until.getTime() : null
}

/**
 * Puts the next try off and counts this one in `tries`, unless `change` says otherwise. Nothing happens when the row is over, or
 * when one of the columns of `row` is no longer as the caller has read it: what moved it has said when it is looked at.
 */
export async function retryIn(
  db: Db | Trx,
  { table }: Retries,
  row: Columns,
  { seconds, change = {} }: { seconds: number; change?: Columns },
): Promise<void> {
  const sets = Object.entries({ tries: sql`tries + 1`, ...change }).map(
    ([name, value]) => sql`${sql.ref(name)} = ${value}`,
  )
  await sql`
    update ${sql.table(table)} set retry_at = ${inSeconds(seconds)}, ${sql.join(sets)}
    where ${all(row)} and retry_at is not null`.execute(db)
}

/** Has rows looked at now that wait for their next try: all of them, or those with these columns. */
export async function retryNow(db: Db | Trx, { table }: Retries, row: Columns = {}): Promise<void> {
  const now = toDate(realNow())
  const those = Object.keys(row).length > 0 ? sql`and ${all(row)}` : sql``
  await sql`update ${sql.table(table)} set retry_at = ${now} where retry_at > ${now} ${those}`.execute(db)
}

/** Seconds until the next try: twice as long each time, and at most so many. */
export const backOff = (tries: number, most: number): number => Math.min(most, 2 ** Math.min(tries, 30))

type RetryDeps = { db: Db; jobs: Jobs }
/** `until`: the end of the lease, in milliseconds of real time. */
type JobOf = (key: string, until: number) => [name: string, data: object]

/**
 * Has a job for each row whose time has come, in the transaction that leases it; answers whether there may be more. Where this process does
 * them by itself, none stands before what is sent to it meanwhile.
 */
export const fetchDue = (deps: RetryDeps, retries: Retries, job: JobOf) => (): Promise<boolean> =>
  transact(deps.db, async (trx) => {
    const own = retries.queue === undefined ? null : deps.jobs.wants(retries.queue)
    const wanted = own ?? mostLeased
    const until = inSeconds(retries.leaseSeconds)
    const keys = wanted > 0 ? await leaseDue(trx, retries, wanted, until) : []
    for (const key of keys)
      if (own === null) await deps.jobs.send(trx, ...job(key, until.getTime()))
      else deps.jobs.takeOver(trx, ...job(key, until.getTime()))
    return keys.length === wanted
  })

/** The same over and over. */
export const retryUpkeep = (deps: RetryDeps, retries: Retries, everyMs: number, job: JobOf): Upkeep => ({
  name: `${retries.table}.retries`,
  everyMs,
  isDue: dueInRealTimeBy(retries.table, 'retry_at'),
  async run() {
    const isMore = await fetchDue(deps, retries, job)()
    if (isMore && retries.queue !== undefined) deps.jobs.fetchMore(deps.db, retries.queue)
  },
})
