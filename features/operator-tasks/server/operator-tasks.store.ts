import { randomUUID } from 'node:crypto'
import type { ColumnType, Generated } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'

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
      // Written when it is done.
      done_by: ColumnType<string | null, null | undefined, string>
      note: ColumnType<string | null, null | undefined, string | null>
    }
  }
}

/** What somebody has to look at: a slice that makes tasks of another kind adds it. */
export const taskKinds = ['order', 'payment', 'network', 'refund', 'dispute', 'finding'] as const
export type TaskKind = (typeof taskKinds)[number]

export type NewTask = {
  kind: TaskKind
  /** In one sentence. The same about the same order or subject makes no second task, also once it is done. */
  reason: string
  dueAt?: Temporal.Instant | null
} & ({ orderId: string; subject?: string } | { orderId?: null; subject: string })

const longestReason = 500

/** Has a person look at something; once for each reason. */
export async function reportToOperator(db: Db | Trx, task: NewTask): Promise<void> {
  await db
    .insertInto('operator_tasks')
    .values({
      id: randomUUID(),
      kind: task.kind,
      order_id: task.orderId ?? null,
      subject: task.subject ?? null,
      // Part of it may be a provider's words, as long and as odd as they are.
      reason: task.reason.slice(0, longestReason).replaceAll(/\p{Cc}/gu, ' '),
      created_at: toDate(realNow()),
      due_at: task.dueAt ? toDate(task.dueAt) : null,
      done_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export type OpenTask = {
  id: string
  kind: TaskKind
  reason: string
  subject: string | null
  order_id: string | null
  created_at: Date
  due_at: Date | null
}

/** What waits for a person: what is due first, then the oldest. */
export const listOpenTasks = (db: Db, { kind, limit }: { kind?: string; limit: number }): Promise<OpenTask[]> =>
  db
    .selectFrom('operator_tasks')
    .select(['id', 'kind', 'reason', 'subject', 'order_id', 'created_at', 'due_at'])
    .where('done_at', 'is', null)
    .$if(kind !== undefined, (those) => those.where('kind', '=', kind as TaskKind))
    .orderBy('due_at', (order) => order.asc().nullsLast())
    .orderBy('created_at')
    .limit(limit)
    .execute()

/** Those about one order, the oldest first. */
export const openTasksOf = (db: Db, orderId: string): Promise<OpenTask[]> =>
  db
    .selectFrom('operator_tasks')
    .select(['id', 'kind', 'reason', 'subject', 'order_id', 'created_at', 'due_at'])
    .where('order_id', '=', orderId)
    .where('done_at', 'is', null)
    .orderBy('created_at')
    .execute()

/** False when there is no such open task. */
export async function endTask(db: Db | Trx, id: string, by: { name: string; note: string | null }): Promise<boolean> {
  const result = await db
    .updateTable('operator_tasks')
    .set({ done_at: toDate(realNow()), done_by: by.name, note: by.note })
    .where('id', '=', id)
    .where('done_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** What is over: at least one of the two, and all that is given must fit. */
type Over = { kind: TaskKind } & ({ orderId: string; subject?: string } | { orderId?: null; subject: string })

/** What these tasks are about is over: those that are open are done by the product itself. */
export async function endTasksAbout(db: Db | Trx, { kind, orderId, subject }: Over): Promise<void> {
  await db
    .updateTable('operator_tasks')
    .set({ done_at: toDate(realNow()), done_by: 'system', note: 'it is over' })
    .where('kind', '=', kind)
    .where('done_at', 'is', null)
    .$if(typeof orderId === 'string', (those) => those.where('order_id', '=', orderId as string))
    .$if(subject !== undefined, (those) => those.where('subject', '=', subject as string))
    .execute()
}
