import { realNow, toDate } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'

export const lockOpenTask = (trx: Trx, id: string) =>
  trx
    .selectFrom('operator_tasks')
    .select(['id', 'kind', 'owner_id', 'order_id', 'subject'])
    .where('id', '=', id)
    .where('done_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

/** Assigns a task to a staff member, or to nobody if `staffId` is `null`. The caller must hold the task's lock. */
export async function assignTask(trx: Trx, id: string, staffId: string | null): Promise<void> {
  await trx
    .updateTable('operator_tasks')
    .set({ owner_id: staffId, taken_at: staffId ? toDate(realNow()) : null })
    .where('id', '=', id)
    .execute()
}
