import { randomUUID } from 'node:crypto'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    operator_tasks: { id: string; order_id: string; reason: string; created_at: Date; done_at: Date | null }
  }
}

/** Has a person look at an order; once for each reason. */
export async function reportToOperator(db: Db | Trx, orderId: string, reason: string): Promise<void> {
  await db
    .insertInto('operator_tasks')
    .values({ id: randomUUID(), order_id: orderId, reason, created_at: toDate(realNow()), done_at: null })
    .onConflict((conflict) => conflict.columns(['order_id', 'reason']).doNothing())
    .execute()
}

type OpenTask = { id: string; reason: string; created_at: Date; order_code: string }

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
