import type { Db } from '#kit/server/db.ts'
import { realNow } from '#kit/server/clock.ts'
import { running } from '#kit/server/session.ts'

/** Every number that a customer has or had, with its plan and what comes next. */
export const listNumbers = (db: Db, userId: string) =>
  db
    .selectFrom('services')
    .leftJoin('schedules', 'schedules.service_id', 'services.id')
    .leftJoin('products', 'products.unique_id', 'schedules.product_id')
    .leftJoin('queued_plans', 'queued_plans.service_id', 'services.id')
    .leftJoin('products as next', 'next.unique_id', 'queued_plans.product_id')
    .leftJoin('auto_renewals', 'auto_renewals.service_id', 'services.id')
    .select(['services.id', 'services.msisdn', 'services.iccid', 'services.created_at', 'services.released_at'])
    .select('services.name')
    .select(['products.title as plan', 'schedules.expires_at', 'next.title as next_plan'])
    .select(['queued_plans.starts_at as next_starts_at', 'auto_renewals.enabled as auto_renewal'])
    .select('auto_renewals.failure as renewal_failure')
    .where('services.user_id', '=', userId)
    .orderBy('services.created_at')
    .orderBy('services.id')
    .execute()

/** How many sessions a customer is signed in with, and when they last entered their password in one. */
export async function countSessions(db: Db, userId: string): Promise<{ count: number; last: Date | null }> {
  const row = await db
    .selectFrom('sessions')
    .select(({ fn }) => [fn.countAll().as('count'), fn.max('authenticated_at').as('last')])
    .where('user_id', '=', userId)
    .where(running(realNow()))
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), last: row.last }
}
