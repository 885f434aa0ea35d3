import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { realNow, toDate } from './clock.ts'
import type { Db, Tables, Trx } from './db.ts'
import { tooMany } from './refusal.ts'

declare module './db.ts' {
  interface Tables {
    rate_limits: { key: string; window_started_at: Date; count: number }
  }
}

/** At most `times` within `seconds` for one `key` (what is counted, and for whom). */
export type Limit = { key: string; times: number; seconds: number }

/** The key of a limit of one account's: where its epoch has been counted up, it begins anew. */
export const inEpoch = (key: string, epoch: number): string => (epoch === 0 ? key : `${key}:epoch:${epoch}`)

/** How much of a limit is used up, and when it begins anew. */
export async function readUse(db: Db | Trx, limit: Limit): Promise<{ used: number; until: Date | null }> {
  const row = await db.selectFrom('rate_limits').selectAll().where('key', '=', keyOf(limit)).executeTakeFirst()
  if (!row || row.window_started_at <= windowStart(limit, realNow())) return { used: 0, until: null }
  return { used: row.count, until: new Date(row.window_started_at.getTime() + limit.seconds * 1_000) }
}

/**
 * Counts one use against each limit, in the database, so that it holds across processes. All are looked at before any is
 * counted: what is refused writes nothing, and a caller that has used up the broad one takes nothing from the narrow ones.
 * @throws 429 with Retry-After when one of them is used up
 */
export async function countUse(db: Db | Trx, limits: Limit[]): Promise<void> {
  const wait = await tryToCount(db, limits)
  if (wait !== null) throw tooMany(wait)
}

/** Counts one use against each limit; false, and nothing counted, when one of them is used up. */
export const isWithin = async (db: Db | Trx, limits: Limit[]): Promise<boolean> =>
  (await tryToCount(db, limits)) === null

/**
 * Counts one use against the first of several lists that is not used up, and answers that list.
 * @throws 429 with Retry-After when all of them are
 */
export async function countUseOfOne(db: Db | Trx, lists: Limit[][]): Promise<Limit[]> {
  let longest = 1
  for (const limits of lists) {
    const wait = await tryToCount(db, limits)
    if (wait === null) return limits
    longest = Math.max(longest, wait)
  }
  throw tooMany(longest)
}

/** Null when it was counted; otherwise the seconds to wait. */
async function tryToCount(db: Db | Trx, limits: Limit[]): Promise<number | null> {
  if (limits.length === 0) return null
  const now = realNow()
  const rows = await db.selectFrom('rate_limits').selectAll().where('key', 'in', limits.map(keyOf)).execute()
  const waits = limits.flatMap((limit) => waitOf(limit, rows, now) ?? [])
  if (waits.length > 0) return Math.max(...waits)
  for (const [index, limit] of limits.entries()) {
    if (await countOne(db, limit, now)) continue
    // The last one went to another call since we looked.
    await forgiveUse(db, limits.slice(0, index))
    return limit.seconds
  }
  return null
}

function waitOf(limit: Limit, rows: Tables['rate_limits'][], now: Temporal.Instant): number | null {
  const row = rows.find(({ key }) => key === keyOf(limit))
  const isLive = row && row.window_started_at > windowStart(limit, now)
  if ((isLive ? row.count : 0) < limit.times) return null
  return isLive ? secondsLeft(row.window_started_at, limit.seconds, now) : limit.seconds
}

/** False when it is used up. */
async function countOne(db: Db | Trx, limit: Limit, now: Temporal.Instant): Promise<boolean> {
  const fresh = sql<boolean>`rate_limits.window_started_at <= ${windowStart(limit, now)}`
  const result = await db
    .insertInto('rate_limits')
    .values({ key: keyOf(limit), window_started_at: toDate(now), count: 1 })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({
          count: sql<number>`case when ${fresh} then 1 else rate_limits.count + 1 end`,
          window_started_at: sql<Date>`case when ${fresh} then excluded.window_started_at else rate_limits.window_started_at end`,
        })
        .where(sql<boolean>`(${fresh} or rate_limits.count < ${limit.times})`),
    )
    .executeTakeFirstOrThrow()
  return result.numInsertedOrUpdatedRows === 1n
}

/** Takes uses back: for limits that count failures only. */
export async function forgiveUse(db: Db | Trx, limits: Limit[]): Promise<void> {
  // One by one, as they were counted: two that take back the same ones at once never wait for each other.
  for (const limit of limits) {
    await db
      .updateTable('rate_limits')
      .set({ count: sql<number>`greatest(count - 1, 0)` })
      .where('key', '=', keyOf(limit))
      .execute()
  }
}

/**
 * Locks what `keys` name until the transaction ends: transactions that count one of the same things take turns, so that many at once
 * get no more than one after another. Take it last, after rows that others may wait for.
 */
export async function lockCounts(trx: Trx, keys: string[]): Promise<void> {
  // Always in one order, so that no two wait for each other; a list of what is selected is worked from its beginning.
  const locks = keys.toSorted().map((key) => sql`pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
  if (locks.length > 0) await sql`select ${sql.join(locks)}`.execute(trx)
}

/** Removes counts whose window is long over. */
export async function purgeOldCounts(db: Db): Promise<void> {
  await db
    .deleteFrom('rate_limits')
    .where('window_started_at', '<', toDate(realNow().subtract({ hours: 48 })))
    .execute()
}

// Hashed, so that the table holds no address, number or e-mail.
const keyOf = (limit: Limit): string => createHash('sha256').update(`${limit.key}|${limit.seconds}`).digest('hex')

const windowStart = (limit: Limit, now: Temporal.Instant): Date => toDate(now.subtract({ seconds: limit.seconds }))

function secondsLeft(startedAt: Date, seconds: number, now: Temporal.Instant): number {
  return Math.max(1, Math.ceil(seconds - (now.epochMilliseconds - startedAt.getTime()) / 1000))
}
