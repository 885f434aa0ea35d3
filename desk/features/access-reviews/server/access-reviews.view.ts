import { sql } from 'kysely'
import { toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'

/** A safety limit, far above the number of customer records that any team opens in a week. */
const maxViews = 200_000

export const listViewsWithoutAction = (
  trx: Trx,
  { from, to }: { from: Temporal.Instant; to: Temporal.Instant },
): Promise<{ id: string; staffId: string }[]> =>
  trx
    .selectFrom('access_log')
    .leftJoin('audit_events', (join) =>
      join
        .onRef('audit_events.user_id', '=', 'access_log.user_id')
        .onRef('audit_events.staff_id', '=', 'access_log.staff_id')
        .onRef('audit_events.at', '>=', 'access_log.at'),
    )
    .select(['access_log.id', 'access_log.staff_id as staffId'])
    .where('access_log.act', '=', 'customer_opened')
    .where('access_log.at', '>=', toDate(from))
    .where('access_log.at', '<', toDate(to))
    .where('access_log.user_id', 'is not', null)
    .where('audit_events.at', 'is', null)
    .limit(maxViews)
    .execute()

export type ListedAccess = Awaited<ReturnType<typeof listReviewedAccess>>[number]

export const listReviewedAccess = (db: Db, week: string) =>
  db
    .selectFrom('checked_looks')
    .innerJoin('access_log', 'access_log.id', 'checked_looks.look_id')
    .innerJoin('staff', 'staff.id', 'checked_looks.staff_id')
    .leftJoin('staff as decider', 'decider.id', 'checked_looks.decided_by')
    .select(['checked_looks.id', 'checked_looks.staff_id', 'checked_looks.decision', 'decider.name as decided_by'])
    .select(['staff.name as who', 'access_log.user_id', 'access_log.reason', 'access_log.detail', 'access_log.at'])
    .where('checked_looks.week', '=', sql<Date>`${week}::date`)
    .orderBy('access_log.at')
    .orderBy('checked_looks.id')
    .execute()

export async function countCandidates(db: Db, week: string): Promise<number> {
  const row = await db
    .selectFrom('look_checks')
    .select('found')
    .where('week', '=', sql<Date>`${week}::date`)
    .executeTakeFirst()
  return row?.found ?? 0
}

export const selectReviewedAccess = (trx: Trx, lookId: string) =>
  trx
    .selectFrom('access_log')
    .innerJoin('staff', 'staff.id', 'access_log.staff_id')
    .select(['staff.name', 'access_log.user_id', 'access_log.reason', 'access_log.detail', 'access_log.at'])
    .where('access_log.id', '=', lookId)
    .executeTakeFirst()
