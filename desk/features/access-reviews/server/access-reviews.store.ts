import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { ColumnType } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    look_checks: { week: ColumnType<Date, string, never>; drawn_at: Date; found: number }
    checked_looks: {
      id: string
      week: ColumnType<Date, string, never>
      /** This column is a bigint, which the driver returns as text. */
      look_id: string
      staff_id: string
      decision: ColumnType<ReviewDecision | null, never, ReviewDecision>
      decided_by: ColumnType<string | null, never, string>
      decided_at: ColumnType<Date | null, never, Date>
    }
  }
}

export type ReviewDecision = 'in_order' | 'asked'

export async function hasWeeklySample(db: Db, week: string): Promise<boolean> {
  const row = await db
    .selectFrom('look_checks')
    .select('found')
    .where('week', '=', sql<Date>`${week}::date`)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Records that a week's review sample has been drawn. Returns false if it had already been drawn. A concurrent caller
 * waits for the first one and then gets false.
 */
export async function insertReview(trx: Trx, { week, found }: { week: string; found: number }): Promise<boolean> {
  const row = await trx
    .insertInto('look_checks')
    .values({ week, drawn_at: toDate(realNow()), found })
    .onConflict((conflict) => conflict.doNothing())
    .returning('found')
    .executeTakeFirst()
  return row !== undefined
}

export async function insertReviewedAccess(
  trx: Trx,
  week: string,
  looks: { id: string; staffId: string }[],
): Promise<void> {
  if (looks.length === 0) return
  await trx
    .insertInto('checked_looks')
    .values(looks.map(({ id, staffId }) => ({ id: randomUUID(), week, look_id: id, staff_id: staffId })))
    .execute()
}

export const findReviewedAccess = (db: Db, id: string) =>
  db.selectFrom('checked_looks').select(['id', 'look_id', 'staff_id']).where('id', '=', id).executeTakeFirst()

/**
 * Stores a team lead's decision about a reviewed view. Returns false if someone else decided first. Team leads cannot
 * decide about their own views, which a table constraint also enforces.
 */
export async function storeReviewDecision(
  trx: Trx,
  id: string,
  { by, decision }: { by: string; decision: ReviewDecision },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('checked_looks')
    .set({ decision, decided_by: by, decided_at: toDate(realNow()) })
    .where('id', '=', id)
    .where('decision', 'is', null)
    .where('staff_id', '!=', by)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const listPastReviews = (db: Db, { before, limit }: { before: string; limit: number }) =>
  db
    .selectFrom('look_checks')
    .leftJoin('checked_looks', 'checked_looks.week', 'look_checks.week')
    .select(sql<string>`look_checks.week::text`.as('week'))
    .select(({ fn }) => [
      fn.count('checked_looks.id').as('looks'),
      fn.count('checked_looks.id').filterWhere('decision', '=', 'in_order').as('in_order'),
      fn.count('checked_looks.id').filterWhere('decision', '=', 'asked').as('asked'),
    ])
    .where('look_checks.week', '<', sql<Date>`${before}::date`)
    .groupBy('look_checks.week')
    .orderBy('look_checks.week', 'desc')
    .limit(limit)
    .execute()

const retentionWeeks = 104

/** Deletes review samples that refer to access log entries which are about to be deleted. */
export async function purgeReviews(db: Db): Promise<void> {
  const cutoff = realNow().subtract({ hours: 24 * 7 * retentionWeeks })
  await db
    .deleteFrom('look_checks')
    .where('week', '<', sql<Date>`${cutoff.toString().slice(0, 10)}::date`)
    .execute()
}
