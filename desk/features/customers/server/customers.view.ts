import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#kit/server/db.ts'

export const listCustomerTasks = (db: Db, userId: string, limit: number) =>
  db
    .selectFrom('operator_tasks')
    .innerJoin('orders', 'orders.id', 'operator_tasks.order_id')
    .select(['operator_tasks.id', 'operator_tasks.reason', 'operator_tasks.due_at', 'orders.order_code'])
    .where('orders.user_id', '=', userId)
    .where('operator_tasks.done_at', 'is', null)
    .orderBy('operator_tasks.due_at', (order) => order.asc().nullsLast())
    .orderBy('operator_tasks.created_at')
    .limit(limit)
    .execute()

/**
 * Returns the cents paid by card for completed orders, and the cents of refunds that the gateway has accepted. The
 * daily figures use the same rules. Refunds are dated in real time, so `since.given` is real time, while `since.paid`
 * follows the application's clock.
 */
export async function sumPaymentsAndRefunds(
  db: Db,
  userId: string,
  since: { paid: Date; given: Date },
): Promise<{ paid: number; given: number }> {
  const { rows } = await sql<{ paid: string; given: string }>`
    select
      (select coalesce(sum(amount_cents), 0) from orders
        where user_id = ${userId} and completed_at >= ${since.paid} and paid_with <> 'voucher') as paid,
      (select coalesce(sum(refunds.amount_cents), 0) from orders join refunds on refunds.order_id = orders.id
        where orders.user_id = ${userId} and refunds.created_at >= ${since.given} and psp_reference is not null) as given`.execute(
    db,
  )
  return { paid: Number(rows[0]?.paid), given: Number(rows[0]?.given) }
}

export const accessLogQuery = (userId: string): RawBuilder<unknown> => sql`
  select access_log.at, 'look:' || lpad(access_log.id::text, 20, '0') as key, 'look' as of, act as what,
    coalesce(detail, '') as detail, null::integer as cents, null::text as ref, staff.name as actor,
    null::text as order_code, null::text as kind, reason
  from access_log join staff on staff.id = access_log.staff_id
  where user_id = ${userId} and act in ('customer_opened', 'email_shown', 'sim_shown')`
