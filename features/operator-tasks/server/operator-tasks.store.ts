import { randomUUID } from 'node:crypto'
import { type ColumnType, type Generated, sql } from 'kysely'
import { formatActor, systemActor } from '#kit/server/actor.ts'
import { fromDate, realNow, toDate } from '#kit/server/clock.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import { leadTaskKinds } from './lead-tasks.store.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    operator_tasks: {
      id: string
      kind: Generated<TaskKind>
      order_id: string | null
      subject: string | null
      reason: string
      created_at: Date
      due_at: Date | null
      done_at: Date | null
      done_by: ColumnType<string | null, null | undefined, string>
      note: ColumnType<string | null, null | undefined, string | null>
      /** When the task's cause ended. If the cause returns, a new task is created. */
      over_at: ColumnType<Date | null, null | undefined, Date>
      mailed_at: ColumnType<Date | null, Date | null | undefined, Date | null>
      owner_id: ColumnType<string | null, null | undefined, string | null>
      taken_at: ColumnType<Date | null, null | undefined, Date | null>
    }
  }
}

export const taskKinds = [
  'order',
  'payment',
  'network',
  'refund',
  'dispute',
  'finding',
  'port',
  'release',
  'message',
  'stock',
  'catalogue',
  'folder',
  'outage',
  'clock',
  ...leadTaskKinds,
] as const
export type TaskKind = (typeof taskKinds)[number]

export type NewTask = {
  kind: TaskKind
  /**
   * The reason in a single sentence. While the cause persists, the same reason does not create a second task for the same order or subject,
   * even after staff have marked the first one as done.
   */
  reason: string
  dueAt?: Temporal.Instant | null
} & ({ orderId: string; subject?: string } | { orderId?: null; subject: string })

export type TaskSelector = { kind: TaskKind } & (
  | { orderId: string; subject?: string }
  | { orderId?: string; subject: string }
)

const maxReasonLength = 500

/** Truncates a reason and replaces control characters, because it may contain text from a provider. */
const truncateReason = (reason: string): string => reason.slice(0, maxReasonLength).replaceAll(/\p{Cc}/gu, ' ')

/** Creates a task, unless one with the same reason exists for the same order or subject and its cause persists. */
export async function createTask(db: Db | Trx, task: NewTask): Promise<void> {
  await db
    .insertInto('operator_tasks')
    .values({
      id: randomUUID(),
      kind: task.kind,
      order_id: task.orderId ?? null,
      subject: task.subject ?? null,
      reason: truncateReason(task.reason),
      created_at: toDate(realNow()),
      due_at: task.dueAt ? toDate(task.dueAt) : null,
      done_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The reasons for all tasks about a subject whose cause persists, including tasks that staff have marked as done. */
export async function listOngoingTaskReasons(db: Db | Trx, { kind, subject }: { kind: TaskKind; subject: string }) {
  const rows = await db
    .selectFrom('operator_tasks')
    .select('reason')
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('over_at', 'is', null)
    .execute()
  return rows.map(({ reason }) => reason)
}

export async function replaceTask(trx: Trx, task: NewTask & { subject: string }): Promise<void> {
  await endedTasksQuery(trx)
    .where('kind', '=', task.kind)
    .where('subject', '=', task.subject)
    .where('reason', '!=', truncateReason(task.reason))
    .execute()
  await createTask(trx, task)
}

export async function endMatchingTasks(db: Db | Trx, { kind, orderId, subject }: TaskSelector): Promise<void> {
  await endedTasksQuery(db)
    .where('kind', '=', kind)
    .$if(orderId !== undefined, (query) => query.where('order_id', '=', orderId ?? null))
    .$if(subject !== undefined, (those) => those.where('subject', '=', subject ?? null))
    .execute()
}

function endedTasksQuery(db: Db | Trx) {
  const now = toDate(realNow())
  return db
    .updateTable('operator_tasks')
    .set({
      over_at: now,
      done_at: sql<Date>`coalesce(done_at, ${now})`,
      done_by: sql<string>`case when done_at is null then ${formatActor(systemActor)} else done_by end`,
    })
    .where('over_at', 'is', null)
}

export const syncTasks = (
  db: Db,
  { kind, orderId }: { kind: TaskKind; orderId?: string },
  tasks: NewTask[],
): Promise<void> =>
  transact(db, async (trx) => {
    const ongoingTasks = await trx
      .selectFrom('operator_tasks')
      .select(['id', 'subject', 'reason'])
      .where('kind', '=', kind)
      .where('over_at', 'is', null)
      .$if(orderId !== undefined, (those) => those.where('order_id', '=', orderId ?? null))
      .execute()
    const buildTaskKey = (subject: string | null | undefined, reason: string): string =>
      JSON.stringify([subject ?? null, truncateReason(reason)])
    const currentKeys = new Set(tasks.map(({ subject, reason }) => buildTaskKey(subject, reason)))
    const endedTasks = ongoingTasks.filter(({ subject, reason }) => !currentKeys.has(buildTaskKey(subject, reason)))
    if (endedTasks.length > 0)
      await endedTasksQuery(trx)
        .where(
          'id',
          'in',
          endedTasks.map(({ id }) => id),
        )
        .execute()
    for (const task of tasks) await createTask(trx, task)
  })

export type OpenTask = {
  id: string
  kind: TaskKind
  reason: string
  subject: string | null
  order_id: string | null
  created_at: Date
  due_at: Date | null
}

export const listOpenTasksOfOrder = (db: Db, orderId: string): Promise<OpenTask[]> =>
  db
    .selectFrom('operator_tasks')
    .select(['id', 'kind', 'reason', 'subject', 'order_id', 'created_at', 'due_at'])
    .where('order_id', '=', orderId)
    .where('done_at', 'is', null)
    .orderBy('created_at')
    .execute()

export async function endTask(db: Db | Trx, id: string, by: { name: string; note: string | null }): Promise<boolean> {
  const result = await db
    .updateTable('operator_tasks')
    .set({ done_at: toDate(realNow()), done_by: by.name, note: by.note })
    .where('id', '=', id)
    .where('done_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export const listOpenTasksOfKind = (db: Db, kind: TaskKind): Promise<Pick<OpenTask, 'subject' | 'reason'>[]> =>
  db
    .selectFrom('operator_tasks')
    .select(['subject', 'reason'])
    .where('kind', '=', kind)
    .where('done_at', 'is', null)
    .execute()

export async function listOrdersWithTask(db: Db, kind: TaskKind, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('operator_tasks')
    .select('order_id')
    .distinct()
    .where('kind', '=', kind)
    .where('over_at', 'is', null)
    .where('order_id', 'is not', null)
    .limit(limit)
    .execute()
  return rows.flatMap(({ order_id: id }) => id ?? [])
}

export async function findLastDoneTime(db: Db, kind: TaskKind, reason: string): Promise<Temporal.Instant | null> {
  const row = await db
    .selectFrom('operator_tasks')
    .select('done_at')
    .where('done_at', 'is not', null)
    .where('kind', '=', kind)
    .where('reason', '=', reason)
    .where('done_by', '!=', formatActor(systemActor) ?? '')
    .orderBy('done_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.done_at ? fromDate(row.done_at) : null
}

export async function countOpenTasks(db: Db | Trx, ids: readonly string[]): Promise<number> {
  const rows = await db
    .selectFrom('operator_tasks')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('done_at', 'is', null)
    .execute()
  return rows.length
}
