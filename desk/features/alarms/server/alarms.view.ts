import { sql } from 'kysely'
import { fromDate, toDate } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import type { AccessAct } from '#desk/features/staff/server/access.store.ts'

/** Acts that reveal who a customer is. */
const opens: AccessAct[] = ['customer_opened', 'order_seen', 'port_seen', 'dispute_seen']
export const isOpening = (act: AccessAct): boolean => opens.includes(act)

/** Acts that uncover masked data. */
const shows: AccessAct[] = ['email_shown', 'sim_shown']
export const isShowing = (act: AccessAct): boolean => shows.includes(act)

/** Number of different customers whom a person has looked at since then. */
export async function countCustomers(trx: Trx, staffId: string, since: Temporal.Instant): Promise<number> {
  const row = await trx
    .selectFrom('access_log')
    .select(sql<string>`count(distinct user_id)`.as('customers'))
    .where('staff_id', '=', staffId)
    .where('at', '>', toDate(since))
    .where('act', 'in', opens)
    .executeTakeFirstOrThrow()
  return Number(row.customers)
}

/** Number of times that a person has uncovered masked data since then. */
export async function countShown(trx: Trx, staffId: string, since: Temporal.Instant): Promise<number> {
  const row = await trx
    .selectFrom('access_log')
    .select(({ fn }) => fn.countAll().as('shown'))
    .where('staff_id', '=', staffId)
    .where('at', '>', toDate(since))
    .where('act', 'in', shows)
    .executeTakeFirstOrThrow()
  return Number(row.shown)
}

/** When a person last acted on a customer, on the product's clock. */
export async function lastActAt(trx: Trx, staffId: string): Promise<Temporal.Instant | null> {
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

/** The staff member who has the same email address as this customer's account. */
export const staffBehind = (trx: Trx, userId: string): Promise<{ id: string; name: string } | undefined> =>
  trx
    .selectFrom('users')
    .innerJoin('staff', 'staff.email', 'users.email')
    .select(['staff.id', 'staff.name'])
    .where('users.id', '=', userId)
    .executeTakeFirst()
