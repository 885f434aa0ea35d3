import { sql } from 'kysely'
import type { Db, Trx } from '#kit/server/db.ts'
import { leadTaskKinds } from '#features/operator-tasks/server/lead-tasks.store.ts'
import type { TaskKind } from '#features/operator-tasks/server/operator-tasks.store.ts'

const maxTasks = 200

export type ListedTask = Awaited<ReturnType<typeof listTasks>>[number]

type TaskQuery = { isLead: boolean; kind?: TaskKind | undefined; limit?: number }

export const listTasks = (db: Db, { isLead, kind, limit = maxTasks + 1 }: TaskQuery) =>
  db
    // The limit is applied before the joins, because an outage can create thousands of tasks.
    .selectFrom((from) =>
      from
        .selectFrom('operator_tasks')
        .select(['id', 'kind', 'subject', 'reason', 'created_at', 'due_at', 'owner_id', 'order_id'])
        .where('done_at', 'is', null)
        .$if(!isLead, (query) => query.where('kind', 'not in', leadTaskKinds))
        .$if(kind !== undefined, (query) => query.where('kind', '=', kind as TaskKind))
        .orderBy('due_at', (order) => order.asc().nullsLast())
        .orderBy('created_at')
        .limit(limit)
        .as('operator_tasks'),
    )
    .leftJoin('orders', 'orders.id', 'operator_tasks.order_id')
    .leftJoin('staff', 'staff.id', 'operator_tasks.owner_id')
    // A transfer's reference starts with its service's id, and so does the subject of a task about a service.
    .leftJoin('services', (join) => join.on(sql<boolean>`services.id = ${subjectUuid}`))
    .leftJoin('users', (join) => join.on(sql<boolean>`users.id = coalesce(services.user_id, ${subjectUuid})`))
    .select([
      'operator_tasks.id',
      'operator_tasks.kind',
      'operator_tasks.subject',
      'operator_tasks.reason',
      'operator_tasks.created_at',
      'operator_tasks.due_at',
      'operator_tasks.owner_id',
      'staff.name as owner',
      'orders.order_code',
      'orders.full_name as order_name',
      'users.id as subject_user_id',
      'users.first_name',
      'users.last_name',
    ])
    .orderBy('operator_tasks.due_at', (order) => order.asc().nullsLast())
    .orderBy('operator_tasks.created_at')
    .execute()

/** Counts open tasks by kind, most frequent first. */
export async function countTasksByKind(
  db: Db,
  { isLead }: { isLead: boolean },
): Promise<{ kind: TaskKind; count: number }[]> {
  const rows = await db
    .selectFrom('operator_tasks')
    .select(({ fn }) => ['kind', fn.countAll().as('count')])
    .where('done_at', 'is', null)
    .$if(!isLead, (query) => query.where('kind', 'not in', leadTaskKinds))
    .groupBy('kind')
    .orderBy('count', 'desc')
    .orderBy('kind')
    .execute()
  return rows.map(({ kind, count }) => ({ kind, count: Number(count) }))
}

export async function countTasks(db: Db, { isLead }: { isLead: boolean }): Promise<number> {
  const { count } = await db
    .selectFrom('operator_tasks')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('done_at', 'is', null)
    .$if(!isLead, (query) => query.where('kind', 'not in', leadTaskKinds))
    .executeTakeFirstOrThrow()
  return Number(count)
}

const subjectUuid = sql`case when operator_tasks.order_id is null
  and operator_tasks.subject ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'
  then left(operator_tasks.subject, 36)::uuid end`

export const truncateTasks = <Row>(rows: Row[]): { rows: Row[]; hasMore: boolean } => ({
  rows: rows.slice(0, maxTasks),
  hasMore: rows.length > maxTasks,
})

export async function findStaffName(db: Db | Trx, id: string): Promise<string> {
  const row = await db.selectFrom('staff').select('name').where('id', '=', id).executeTakeFirst()
  return row?.name ?? 'Someone'
}
