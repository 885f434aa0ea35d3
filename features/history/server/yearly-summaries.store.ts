import { fromDate, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { writeInPassing } from '#kit/server/write-in-passing.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    yearly_summaries: { user_id: string; due_at: Date }
  }
}

/** A customer who has one already keeps its day. */
export async function insertSummary(trx: Trx, serviceId: string, dueAt: Temporal.Instant): Promise<void> {
  await writeInPassing(
    trx,
    trx
      .insertInto('yearly_summaries')
      .columns(['user_id', 'due_at'])
      .expression((from) =>
        from
          .selectFrom('services')
          .select((select) => ['user_id', select.val(toDate(dueAt)).as('due_at')])
          .where('id', '=', serviceId),
      )
      .onConflict((conflict) => conflict.doNothing()),
  )
}

/** Locks the earliest that is due until the transaction ends; one that another process has is passed over. */
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

export async function putOffSummary(trx: Trx, userId: string, dueAt: Temporal.Instant): Promise<void> {
  await writeInPassing(
    trx,
    trx
      .updateTable('yearly_summaries')
      .set({ due_at: toDate(dueAt) })
      .where('user_id', '=', userId),
  )
}

export async function nextDueSummary(db: Db): Promise<Temporal.Instant | null> {
  const row = await db.selectFrom('yearly_summaries').select('due_at').orderBy('due_at').limit(1).executeTakeFirst()
  return row ? fromDate(row.due_at) : null
}

export async function deleteSummary(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('yearly_summaries').where('user_id', '=', userId).execute()
}
