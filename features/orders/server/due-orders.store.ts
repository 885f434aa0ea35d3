import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { createTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { type Order, overdueAfterMinutes } from './orders.store.ts'

export async function reportOverdueOrders(trx: Trx): Promise<void> {
  const rows = await trx
    .updateTable('orders')
    .set({ overdue_at: null })
    .where('overdue_at', '<=', toDate(realNow()))
    .where('state', '!=', 'held')
    .returning(['id', 'state'])
    .execute()
  for (const { id: orderId, state } of rows)
    await createTask(trx, { kind: 'order', orderId, reason: `still ${state} after ${overdueAfterMinutes} minutes` })
}

export const listDueHeldOrders = (db: Db, now: Temporal.Instant): Promise<Order[]> =>
  db
    .selectFrom('orders')
    .selectAll()
    .where('due_at', '<=', toDate(now))
    .where('state', '=', 'held')
    .limit(100)
    .execute()

export async function findNextOrderDue(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('orders')
    .select((select) => select.fn.min('due_at').as('due'))
    .where('due_at', 'is not', null)
    .executeTakeFirst()
  return row?.due ?? null
}
