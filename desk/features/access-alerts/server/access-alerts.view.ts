import { sql } from 'kysely'
import { fromDate, toDate } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import type { AccessAction } from '#desk/features/staff/server/access.store.ts'

const viewActions: AccessAction[] = ['customer_opened', 'order_seen', 'port_seen', 'dispute_seen']
export const isViewAction = (act: AccessAction): boolean => viewActions.includes(act)

const revealActions: AccessAction[] = ['email_shown', 'sim_shown']
export const isRevealAction = (act: AccessAction): boolean => revealActions.includes(act)

export async function countCustomers(trx: Trx, staffId: string, since: Temporal.Instant): Promise<number> {
  const row = await trx
    .selectFrom('access_log')
    .select(sql<string>`count(distinct user_id)`.as('customers'))
    .where('staff_id', '=', staffId)
    .where('at', '>', toDate(since))
    .where('act', 'in', viewActions)
    .executeTakeFirstOrThrow()
  return Number(row.customers)
}

export async function countReveals(trx: Trx, staffId: string, since: Temporal.Instant): Promise<number> {
  const row = await trx
    .selectFrom('access_log')
    .select(({ fn }) => fn.countAll().as('shown'))
    .where('staff_id', '=', staffId)
    .where('at', '>', toDate(since))
    .where('act', 'in', revealActions)
    .executeTakeFirstOrThrow()
  return Number(row.shown)
}

/** Returns when a staff member last took an action on a customer's account, by the application's clock. */
export async function findLastActionTime(trx: Trx, staffId: string): Promise<Temporal.Instant | null> {
  const row = await trx
    .selectFrom('audit_events')
    .select('at')
    .where('staff_id', '=', staffId)
    .where('user_id', 'is not', null)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? fromDate(row.at) : null
}

export const findStaffByUserId = (trx: Trx, userId: string): Promise<{ id: string; name: string } | undefined> =>
  trx
    .selectFrom('users')
    .innerJoin('staff', 'staff.email', 'users.email')
    .select(['staff.id', 'staff.name'])
    .where('users.id', '=', userId)
    .executeTakeFirst()
