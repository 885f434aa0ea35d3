import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { ErrorEntry } from '../contract/errors.ts'
import { realNow, toDate } from './clock.ts'
import type { Db, Trx } from './db.ts'
import { tooManyRequests } from './http-error.ts'

declare module './db.ts' {
  interface Tables {
    rate_limits: { key: string; window_started_at: Date; count: number }
  }
}

export type Limit = {
  key: string
  times: number
  seconds: number
  /**
   * If set, the count restarts only after nothing has been counted for `seconds`, so no period of that length ever exceeds `times`. Without
   * `isStrict`, the end of one window and the start of the next can together reach twice that number.
   */
  isStrict?: true
}

export const addEpochToLimitKey = (key: string, epoch: number): string => (epoch === 0 ? key : `${key}:epoch:${epoch}`)

/** Reads how much of a limit has been used. `until` is the end of its window, or `null` if nothing has been counted. */
export async function readLimitUse(db: Db | Trx, limit: Limit): Promise<{ used: number; until: Date | null }> {
  const row = await db.selectFrom('rate_limits').selectAll().where('key', '=', keyOf(limit)).executeTakeFirst()
  if (!row || row.window_started_at <= computeWindowStart(limit, realNow())) return { used: 0, until: null }
  return { used: row.count, until: new Date(row.window_started_at.getTime() + limit.seconds * 1_000) }
}

/**
 * Counts one use against each limit. The counts are stored in the database, so they apply across processes. All limits are checked before
 * any is counted, so a rejected request writes nothing, and a caller who has used up a broad limit does not use up the narrow ones.
 * @throws 429 with Retry-After if any limit is used up
 */
export async function countLimitUse(db: Db | Trx, limits: Limit[]): Promise<void> {
  const wait = await countUseWithinLimits(db, limits)
  if (wait !== null) throw tooManyRequests(wait)
}

/** Counts one use against each limit. Returns false, without counting, if any of them is used up. */
export const tryCountLimitUse = async (db: Db | Trx, limits: Limit[]): Promise<boolean> =>
  (await countUseWithinLimits(db, limits)) === null

/**
 * Counts one use against the first list of limits in which none is used up, and returns that list. The error carries `hints`.
 * @throws 429 with Retry-After if every list is used up
 */
export async function countFirstAvailableLimits(
  db: Db | Trx,
  lists: Limit[][],
  hints: ErrorEntry[] = [],
): Promise<Limit[]> {
  let longestWait = 1
  for (const limits of lists) {
    const wait = await countUseWithinLimits(db, limits)
    if (wait === null) return limits
    longestWait = Math.max(longestWait, wait)
  }
  throw tooManyRequests(longestWait, hints)
}

/** Returns how many seconds to wait until none of the limits is used up, or `null` if there is no need to wait. Counts nothing. */
export async function computeSecondsUntilAllowed(db: Db | Trx, limits: Limit[]): Promise<number | null> {
  const now = realNow()
  const keys = limits.map((limit) => keyOf(limit))
  const rows = await db.selectFrom('rate_limits').selectAll().where('key', 'in', keys).execute()
  const waitSeconds = limits.flatMap((limit) => {
    const row = rows.find(({ key }) => key === keyOf(limit))
    const isUsedUp = row && row.count >= limit.times && row.window_started_at > computeWindowStart(limit, now)
    return isUsedUp ? [computeSecondsLeft(row.window_started_at, limit.seconds, now)] : []
  })
  return waitSeconds.length > 0 ? Math.max(...waitSeconds) : null
}

/** Counts one use against each limit. Returns `null` if the use was counted, or otherwise the seconds to wait. */
async function countUseWithinLimits(db: Db | Trx, limits: Limit[]): Promise<number | null> {
  if (limits.length === 0) return null
  const now = realNow()
  const { counted, usedUp } = await countAllLimits(db, limits, now)
  const waitSeconds = limits.flatMap((limit) => {
    const since = usedUp.get(keyOf(limit))
    if (since === undefined) return []
    return since === null ? limit.seconds : computeSecondsLeft(since, limit.seconds, now)
  })
  if (waitSeconds.length > 0) return Math.max(...waitSeconds)
  const exceededLimit = limits.find((limit) => !counted.has(keyOf(limit)))
  if (!exceededLimit) return null
  // A concurrent request took the last use after this request's check, so undo the uses that this request counted.
  await undoLimitUse(
    db,
    limits.filter((limit) => counted.has(keyOf(limit))),
  )
  return exceededLimit.seconds
}

/**
 * Counts one use against each limit, or none at all if any of them is used up, in a single statement. Returns the counted keys and, for
 * each used-up key, the start of its window; `null` if the limit allows no use at all.
 */
async function countAllLimits(
  db: Db | Trx,
  limits: Limit[],
  now: Temporal.Instant,
): Promise<{ counted: Set<string>; usedUp: Map<string, Date | null> }> {
  const each = sortLimits(limits)
  const { rows } = await sql<{ key: string; is_counted: boolean; since: Date | null }>`
    with asked as (
      select * from unnest(
        ${each.map(({ key }) => key)}::text[],
        ${each.map(({ limit }) => computeWindowStart(limit, now).toISOString())}::timestamptz[],
        ${each.map(({ limit }) => limit.times)}::int[],
        ${each.map(({ limit }) => limit.isStrict === true)}::boolean[]
      ) as asked (key, begun, times, is_strict)
    ), used_up as (
      select asked.key, seen.window_started_at from asked
      left join rate_limits as seen on seen.key = asked.key and seen.window_started_at > asked.begun
      where coalesce(seen.count, 0) >= asked.times
    ), counted as (
      insert into rate_limits (key, window_started_at, count)
      select key, ${toDate(now)}::timestamptz, 1 from asked where not exists (select from used_up) order by key
      on conflict (key) do update set
        count = case when rate_limits.window_started_at <= (select begun from asked where asked.key = excluded.key)
          then 1 else rate_limits.count + 1 end,
        window_started_at = case when rate_limits.window_started_at <= (select begun from asked where asked.key = excluded.key)
            or (select is_strict from asked where asked.key = excluded.key)
          then excluded.window_started_at else rate_limits.window_started_at end
      where rate_limits.window_started_at <= (select begun from asked where asked.key = excluded.key)
        or rate_limits.count < (select times from asked where asked.key = excluded.key)
      returning key
    )
    select key, true as is_counted, null::timestamptz as since from counted
    union all select key, false, window_started_at from used_up`.execute(db)
  return {
    counted: new Set(rows.filter((row) => row.is_counted).map(({ key }) => key)),
    usedUp: new Map(rows.filter((row) => !row.is_counted).map(({ key, since }) => [key, since])),
  }
}

/** Lists each limit once and always in the same order, so that concurrent requests cannot deadlock. */
function sortLimits(limits: Limit[]): { key: string; limit: Limit }[] {
  const byKey = new Map(limits.map((limit) => [keyOf(limit), limit]))
  return [...byKey].map(([key, limit]) => ({ key, limit })).toSorted((a, b) => (a.key < b.key ? -1 : 1))
}

export async function undoLimitUse(db: Db | Trx, limits: Limit[]): Promise<void> {
  if (limits.length === 0) return
  const keys = sortLimits(limits).map(({ key }) => key)
  await sql`
    with taken as (select key from rate_limits where key = any(${keys}::text[]) order by key for update)
    update rate_limits set count = greatest(count - 1, 0) from taken where rate_limits.key = taken.key`.execute(db)
}

/**
 * Locks `keys` until the transaction ends. Transactions that count the same thing then run one after another, so they cannot exceed a limit
 * by running concurrently. Callers must take these locks last, after any row locks that other transactions may wait for.
 */
export async function lockKeysForCounting(trx: Trx, keys: string[]): Promise<void> {
  /*
   * The locks are always taken in the same order, so that transactions cannot deadlock. PostgreSQL evaluates a select list from left to
   * right.
   */
  const locks = keys.toSorted().map((key) => sql`pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
  if (locks.length > 0) await sql`select ${sql.join(locks)}`.execute(trx)
}

export async function purgeOldLimitCounts(db: Db): Promise<void> {
  await db
    .deleteFrom('rate_limits')
    .where('window_started_at', '<', toDate(realNow().subtract({ hours: 48 })))
    .execute()
}

// A limit's key is hashed, so that the table contains no addresses, phone numbers or emails.
const keyOf = (limit: Limit): string => createHash('sha256').update(`${limit.key}|${limit.seconds}`).digest('hex')

const computeWindowStart = (limit: Limit, now: Temporal.Instant): Date =>
  toDate(now.subtract({ seconds: limit.seconds }))

function computeSecondsLeft(startedAt: Date, seconds: number, now: Temporal.Instant): number {
  return Math.max(1, Math.ceil(seconds - (now.epochMilliseconds - startedAt.getTime()) / 1000))
}
