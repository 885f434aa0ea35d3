import { type Generated, sql } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { PagePosition } from '#kit/server/pagination.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    access_log: {
      id: Generated<string>
      at: Date
      staff_id: string
      act: AccessAction
      user_id: string | null
      subject: string | null
      reason: string | null
      detail: string | null
    }
  }
}

export type AccessAction =
  | 'searched'
  | 'customer_opened'
  | 'customer_seen'
  | 'number_seen'
  | 'order_seen'
  | 'port_seen'
  | 'dispute_seen'
  | 'email_shown'
  | 'sim_shown'
  | 'trail_seen'
  | 'task_seen'

export type NewAccessEntry = {
  staffId: string
  act: AccessAction
  userId?: string | null
  /** What was accessed: for example an order's code, a transfer's reference, or a hash of the search text. */
  subject?: string | null
  reason?: string | null
  detail?: string | null
}

/** Records an access in real time, whatever the application's clock says, because the log is about what staff really did and when. */
export async function insertAccessEntry(
  db: Db | Trx,
  { staffId, act, userId, subject, reason, detail }: NewAccessEntry,
): Promise<void> {
  await db
    .insertInto('access_log')
    .values({
      at: toDate(realNow()),
      staff_id: staffId,
      act,
      user_id: userId ?? null,
      subject: subject ?? null,
      reason: reason ?? null,
      detail: detail ?? null,
    })
    .execute()
}

/**
 * Returns why this staff member opened the customer's record in the last half hour; `null` if they did not, so that
 * they must give a reason.
 */
export async function findAccessReason(
  db: Db,
  staffId: string,
  userId: string,
): Promise<{ reason: string; at: Date } | null> {
  const row = await db
    .selectFrom('access_log')
    .select(['reason', 'at'])
    .where('staff_id', '=', staffId)
    .where('user_id', '=', userId)
    .where('act', '=', 'customer_opened')
    .where('at', '>', toDate(realNow().subtract({ minutes: accessPeriodMinutes })))
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? { reason: row.reason ?? '', at: row.at } : null
}

export const accessPeriodMinutes = 30

export const listRecentAccess = (db: Db, userId: string, limit: number) =>
  db
    .selectFrom('access_log')
    .innerJoin('staff', 'staff.id', 'access_log.staff_id')
    .select(['access_log.at', 'access_log.reason', 'access_log.detail', 'staff.name', 'staff.id as staff_id'])
    .where('user_id', '=', userId)
    .where('act', '=', 'customer_opened')
    .orderBy('access_log.at', 'desc')
    .orderBy('access_log.id', 'desc')
    .limit(limit)
    .execute()

export const listAccess = (db: Db, userId: string, { before, limit }: { before: PagePosition | null; limit: number }) =>
  db
    .selectFrom('access_log')
    .innerJoin('staff', 'staff.id', 'access_log.staff_id')
    .select(['access_log.at', 'access_log.act', 'access_log.reason', 'access_log.detail', 'staff.name'])
    .select(sql<string>`lpad(access_log.id::text, 20, '0')`.as('key'))
    .where('user_id', '=', userId)
    .where('act', 'in', ['customer_opened', 'email_shown', 'sim_shown'])
    .$if(before !== null, (query) =>
      query.where(sql<boolean>`(access_log.at, access_log.id) < (${before?.at}, ${Number(before?.key)})`),
    )
    .orderBy('access_log.at', 'desc')
    .orderBy('access_log.id', 'desc')
    .limit(limit)
    .execute()

const retentionYears = 2

/** Deletes access records older than two years. A database trigger stops newer records from being deleted. */
export async function purgeAccess(db: Db): Promise<void> {
  const cutoff = realNow().subtract({ hours: 24 * 366 * retentionYears })
  await db.deleteFrom('access_log').where('at', '<', toDate(cutoff)).execute()
}
