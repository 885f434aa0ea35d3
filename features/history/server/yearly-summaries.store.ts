import { sql } from 'kysely'
import { fromDate, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    yearly_summaries: { user_id: string; due_at: Date }
  }
}

/** Schedules a yearly summary for each of these services' customers. A summary that is already scheduled keeps its date. */
export async function insertSummaries(trx: Trx, serviceIds: readonly string[], dueAt: Temporal.Instant): Promise<void> {
  // Sort the rows, so that two transactions that start plans for the same customers cannot deadlock.
  await sql`
    insert into yearly_summaries (user_id, due_at)
    select distinct user_id, ${toDate(dueAt)}::timestamptz from services where id = any(${serviceIds}::uuid[]) order by user_id
    on conflict do nothing`.execute(trx)
}

export async function lockDueSummary(
  trx: Trx,
  now: Temporal.Instant,
): Promise<{ userId: string; dueAt: Temporal.Instant } | null> {
  const row = await trx
    .selectFrom('yearly_summaries')
    .selectAll()
    .where('due_at', '<=', toDate(now))
    .orderBy('due_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row ? { userId: row.user_id, dueAt: fromDate(row.due_at) } : null
}

export async function postponeSummary(trx: Trx, userId: string, dueAt: Temporal.Instant): Promise<void> {
  await trx
    .updateTable('yearly_summaries')
    .set({ due_at: toDate(dueAt) })
    .where('user_id', '=', userId)
    .execute()
}

export async function findNextDueSummary(db: Db): Promise<Temporal.Instant | null> {
  const row = await db.selectFrom('yearly_summaries').select('due_at').orderBy('due_at').limit(1).executeTakeFirst()
  return row ? fromDate(row.due_at) : null
}

export async function deleteSummary(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('yearly_summaries').where('user_id', '=', userId).execute()
}
