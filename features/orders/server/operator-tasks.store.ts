import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Order } from './orders.store.ts'

type OpenTask = { id: string; reason: string; created_at: Date; order_code: Order['order_code'] }

/** What waits for a person, oldest first, with the code of the order that it is about. */
export const listOpenTasks = (db: Db): Promise<OpenTask[]> =>
  db
    .selectFrom('operator_tasks')
    .innerJoin('orders', 'orders.id', 'operator_tasks.order_id')
    .select(['operator_tasks.id', 'operator_tasks.reason', 'operator_tasks.created_at', 'orders.order_code'])
    .where('operator_tasks.done_at', 'is', null)
    .orderBy('operator_tasks.created_at')
    .execute()

/** False when there is no such open task. */
export async function endTask(db: Db, id: string): Promise<boolean> {
  const result = await db
    .updateTable('operator_tasks')
    .set({ done_at: toDate(realNow()) })
    .where('id', '=', id)
    .where('done_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
