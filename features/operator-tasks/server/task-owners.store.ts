import { realNow, toDate } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'

/** Locks an open task until the transaction ends, so that only one of two simultaneous requests can take it. */
export const lockOpenTask = (trx: Trx, id: string) =>
  trx
    .selectFrom('operator_tasks')
    .select(['id', 'kind', 'owner_id', 'order_id', 'subject'])
    .where('id', '=', id)
    .where('done_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

/** Assigns a task; `null` releases it. The caller must have locked the task. */
export async function giveTaskTo(trx: Trx, id: string, staffId: string | null): Promise<void> {
  await trx
    .updateTable('operator_tasks')
    .set({ owner_id: staffId, taken_at: staffId ? toDate(realNow()) : null })
    .where('id', '=', id)
    .execute()
}
