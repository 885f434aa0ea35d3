import { sql } from 'kysely'
import { type Clock, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'

/** Locks a staff member's row, so that this person's refunds run one after the other, even for different orders. */
export async function lockStaffMember(trx: Trx, staffId: string): Promise<void> {
  await trx.selectFrom('staff').select('id').where('id', '=', staffId).forNoKeyUpdate().execute()
}

export async function sumUnapprovedStaffRefunds(db: Db | Trx, clock: Clock, staffId: string): Promise<number> {
  const row = await db
    .selectFrom('audit_events')
    .select(sql<string | null>`sum((details ->> 'cents')::integer)`.as('cents'))
    .where('staff_id', '=', staffId)
    .where('event', '=', 'refund_requested')
    .where('at', '>', toDate(clock.now().subtract({ hours: 24 })))
    .where(sql<boolean>`details ->> 'approved_by' is null`)
    .executeTakeFirstOrThrow()
  return Number(row.cents ?? 0)
}
