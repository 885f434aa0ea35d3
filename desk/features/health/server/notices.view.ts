import { toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'

export type NoticeRow = Awaited<ReturnType<typeof readNotices>>[number]

export const readNotices = (db: Db, now: Temporal.Instant) =>
  db
    .selectFrom('notices')
    .innerJoin('staff', 'staff.id', 'notices.staff_id')
    .select(['notices.id', 'notices.kind', 'notices.said_at', 'notices.ends_at', 'staff.name as said_by'])
    .where('notices.ended_at', 'is', null)
    .where('notices.ends_at', '>', toDate(now))
    .orderBy('notices.said_at')
    .execute()
