import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { realNow, toDate } from './clock.ts'
import type { Db } from './db.ts'
import { tooMany } from './refusal.ts'

declare module './db.ts' {
  interface Tables {
    rate_limits: { key: string; window_started_at: Date; count: number }
  }
}

/** At most `times` within `seconds` for one `key` (what is counted, and for whom). */
export type Limit = { key: string; times: number; seconds: number }

/**
 * Counts one use against each limit, in the database, so that it holds across processes.
 * @throws 429 with Retry-After when one of them is used up
 */
export async function countUse(db: Db, limits: Limit[]): Promise<void> {
  for (const limit of limits) {
    const now = realNow()
    const windowStart = toDate(now.subtract({ seconds: limit.seconds }))
    const fresh = sql<boolean>`rate_limits.window_started_at <= ${windowStart}`
    const row = await db
      .insertInto('rate_limits')
      .values({ key: keyOf(limit), window_started_at: toDate(now), count: 1 })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          count: sql<number>`case when ${fresh} then 1 else rate_limits.count + 1 end`,
          window_started_at: sql<Date>`case when ${fresh} then excluded.window_started_at else rate_limits.window_started_at end`,
        }),
      )
      .returning(['count', 'window_started_at'])
      .executeTakeFirstOrThrow()
    if (row.count > limit.times) throw tooMany(secondsLeft(row.window_started_at, limit.seconds, now))
  }
}

/** Takes uses back: for limits that count failures only. */
export async function forgiveUse(db: Db, limits: Limit[]): Promise<void> {
  // One by one, as they were counted: two that take back the same ones at once never wait for each other.
  for (const limit of limits) {
    await db
      .updateTable('rate_limits')
      .set({ count: sql<number>`greatest(count - 1, 0)` })
      .where('key', '=', keyOf(limit))
      .execute()
  }
}

/** Removes counts whose window is long over. */
export async function forgetOldCounts(db: Db): Promise<void> {
  await db.deleteFrom('rate_limits').where('window_started_at', '<', toDate(realNow().subtract({ hours: 48 }))).execute()
}

// Hashed, so that the table holds no address, number or e-mail.
const keyOf = (limit: Limit): string => createHash('sha256').update(`${limit.key}|${limit.seconds}`).digest('hex')

function secondsLeft(startedAt: Date, seconds: number, now: Temporal.Instant): number {
  return Math.max(1, Math.ceil(seconds - (now.epochMilliseconds - startedAt.getTime()) / 1000))
}
