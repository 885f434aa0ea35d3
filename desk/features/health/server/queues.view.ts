import { sql } from 'kysely'
import type { Db } from '#kit/server/db.ts'

export type QueueRow = { queue: string; waiting: number; oldest: number; failing: number }

/** What waits in each queue, by the queue's own index of what has not been taken yet. */
export async function readQueues(db: Db): Promise<QueueRow[]> {
  const { rows } = await sql<QueueRow>`
    select name as queue,
      count(*) filter (where start_after <= now())::int as waiting,
      coalesce(greatest(0, extract(epoch from now() - min(start_after) filter (where start_after <= now()))), 0)::float8 as oldest,
      count(*) filter (where state = 'retry')::int as failing
    from pgboss.job where state < 'active' and not blocked group by name order by name`.execute(db)
  return rows
}

/** For how many seconds the job that has waited longest could have run; null: none waits. */
export async function readOldestJob(db: Db): Promise<number | null> {
  const { rows } = await sql<{ oldest: number | null }>`
    select greatest(0, extract(epoch from now() - min(start_after)))::int as oldest
    from pgboss.job where state < 'active' and not blocked and start_after <= now()`.execute(db)
  return rows[0]?.oldest ?? null
}

/** The newest migration that has run. The demo's own have numbers from 9000 on. */
export async function readMigration(db: Db): Promise<string> {
  const { rows } = await sql<{
    name: string | null
  }>`select max(name) as name from migrations where name < '9'`.execute(db)
  return rows[0]?.name ?? ''
}
