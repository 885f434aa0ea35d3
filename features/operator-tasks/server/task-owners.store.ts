import { realNow, toDate } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'

/** An open task, locked until the transaction ends: two who want it at once take turns. */
export const lockOpenTask = (trx: Trx, id: string) =>
  trx
    .selectFrom('operator_tasks')
    .select(['id', 'kind', 'owner_id', 'order_id', 'subject'])
    .where('id', '=', id)
    .where('done_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

/** Whose it is from now on; null: anybody's. The caller has locked it. */
export async function giveTaskTo(trx: Trx, id: string, staffId: string | null): Promise<void> {
  await trx
    .updateTable('operator_tasks')
    .set({ owner_id: staffId, taken_at: staffId ? toDate(realNow()) : null })
    .where('id', '=', id)
    .execute()
}
