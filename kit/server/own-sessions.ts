import { sql } from 'kysely'
import { realNow, toDate } from './clock.ts'
import type { Db, Trx } from './db.ts'
import { lockKeysForCounting } from './limits.ts'
import { activeSessionCondition } from './session.ts'

export type OwnSession = { id: string; browser: string | null; system: string | null; last_seen_at: Date }

export const maxSessions = 50

export async function listOwnSessions(db: Db | Trx, userId: string): Promise<OwnSession[]> {
  return db
    .selectFrom('sessions')
    .select(['id', 'browser', 'system', 'last_seen_at'])
    .where('user_id', '=', userId)
    .where(activeSessionCondition(realNow()))
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .limit(maxSessions)
    .execute()
}

/**
 * Ends the user's least recently used sessions so that, including `current`, at most `maxSessions` are still running. Concurrent sign-ins
 * by the same user take turns, so they never leave more. A session whose row is locked by another transaction is in use, so the next one is
 * ended instead.
 */
export async function endExcessSessions(trx: Trx, userId: string, current: string): Promise<void> {
  await lockKeysForCounting(trx, [`sessions:${userId}`])
  const now = realNow()
  await trx
    .with(
      // The CTE is materialized so that its limit applies, as in `leaseDueRows` in kit/server/retry-queue.ts.
      (cte) => cte('excess').materialized(),
      (qb) => {
        const otherSessions = qb
          .selectFrom('sessions')
          .where('user_id', '=', userId)
          .where('id', '!=', current)
          .where(activeSessionCondition(now))
        return otherSessions
          .select('id')
          .orderBy('last_seen_at')
          .orderBy('id')
          .limit(
            sql<number>`greatest((${otherSessions.select(({ fn }) => fn.countAll().as('count'))}) - ${maxSessions - 1}, 0)`,
          )
          .forNoKeyUpdate()
          .skipLocked()
      },
    )
    .updateTable('sessions')
    .set({ expires_at: toDate(now), user_id: null })
    .where('id', 'in', (from) => from.selectFrom('excess').select('id'))
    .execute()
}

/** Ends one of the user's sessions. Returns false if the session has already ended or belongs to a different user. */
export async function endOwnSession(trx: Trx, userId: string, id: string): Promise<boolean> {
  const now = realNow()
  const { numUpdatedRows } = await trx
    .updateTable('sessions')
    .set({ expires_at: toDate(now), user_id: null })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where(activeSessionCondition(now))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Hours for which we trust that a session is still used by the person who entered the password. */
const recentPasswordHours = 24

export async function isPasswordRecent(db: Db | Trx, userId: string, id: string | null): Promise<boolean> {
  if (!id) return false
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('authenticated_at', '>', toDate(realNow().subtract({ hours: recentPasswordHours })))
    .executeTakeFirst()
  return row !== undefined
}

export async function recordPasswordEntry(db: Db | Trx, userId: string, id: string | null): Promise<boolean> {
  if (!id) return false
  const now = realNow()
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ authenticated_at: toDate(now) })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where(activeSessionCondition(now))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
