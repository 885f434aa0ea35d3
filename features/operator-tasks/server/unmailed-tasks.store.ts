import { sql } from 'kysely'
import { formatActor, systemActor } from '#kit/server/actor.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import type { TaskKind } from './operator-tasks.store.ts'

const maxTasks = 500

/** Outages that ended longer ago than this many hours are not emailed, for example those from before `OPERATOR_MAIL` was set. */
const maxEndedOutageAgeHours = 24

export type UnmailedTask = {
  id: string
  kind: TaskKind
  reason: string
  due_at: Date | null
  /** When an outage ended; `null` for a task that is still open. */
  done_at: Date | null
}

const taskColumns = ['id', 'kind', 'reason', 'due_at', 'done_at'] as const

export const listUnmailedTasks = (trx: Trx, firstKinds: readonly TaskKind[]): Promise<UnmailedTask[]> =>
  trx
    .selectFrom('operator_tasks')
    .select(taskColumns)
    .where('done_at', 'is', null)
    .where('mailed_at', 'is', null)
    .orderBy(sql`kind = any(${firstKinds}::text[])`, 'desc')
    .orderBy('due_at', (order) => order.asc().nullsLast())
    .orderBy('created_at')
    .limit(maxTasks)
    .execute()

export const listUnmailedEndedOutages = (trx: Trx): Promise<UnmailedTask[]> =>
  trx
    .selectFrom('operator_tasks')
    .select(taskColumns)
    .where('kind', '=', 'outage')
    .where('done_at', '>', toDate(realNow().subtract({ hours: maxEndedOutageAgeHours })))
    .where('done_by', '=', formatActor(systemActor) ?? '')
    .where('mailed_at', 'is', null)
    .orderBy('done_at')
    .limit(maxTasks)
    .execute()

const setMailedAt = (trx: Trx, ids: readonly string[], at: Date | null) =>
  trx
    .updateTable('operator_tasks')
    .set({ mailed_at: at })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()

export async function markTasksMailed(trx: Trx, ids: readonly string[]): Promise<void> {
  await setMailedAt(trx, ids, toDate(realNow()))
}

export async function markTasksUnmailed(trx: Trx, ids: readonly string[]): Promise<void> {
  await setMailedAt(trx, ids, null)
}
