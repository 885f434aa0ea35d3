import { sql } from 'kysely'
import type { Trx } from '#kit/server/db.ts'
import { nonBlockingStates } from '../orders.states.ts'
import type { Order } from './orders.store.ts'

/**
 * Finds the renewal that follows each schedule's current plan: the completed renewal if there is one, otherwise the newest
 * one in progress.
 * @param plans `orderId` is the order that paid for the current plan; `but` is an order to ignore
 */
export async function findSubsequentRenewals(
  trx: Trx,
  plans: readonly { scheduleId: string; orderId: string; but?: string | null }[],
): Promise<Map<string, Pick<Order, 'state'>>> {
  const rows = await trx
    .selectFrom('orders')
    .innerJoin(
      sql<{ schedule_id: string; order_id: string; but: string | null }>`unnest(
        ${plans.map(({ scheduleId }) => scheduleId)}::uuid[], ${plans.map(({ orderId }) => orderId)}::uuid[],
        ${plans.map(({ but }) => but ?? null)}::uuid[]
      )`.as<'plan'>(sql`plan(schedule_id, order_id, but)`),
      (join) =>
        join.onRef('plan.order_id', '=', 'orders.renews_order_id').onRef('plan.schedule_id', '=', 'orders.schedule_id'),
    )
    .select(['plan.schedule_id', 'orders.state'])
    .where('orders.kind', '=', 'recharge')
    .where('orders.state', 'not in', nonBlockingStates)
    .whereRef('orders.id', 'is distinct from', 'plan.but')
    // The map keeps the last row for each schedule, so sort completed renewals last.
    .orderBy(sql`orders.state = 'completed'`)
    .orderBy('orders.created_at')
    .execute()
  return new Map(rows.map(({ schedule_id: scheduleId, state }) => [scheduleId, { state }]))
}
