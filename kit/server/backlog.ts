import { type RawBuilder, sql } from 'kysely'
import { realNow, toDate } from './clock.ts'
import type { Db } from './db.ts'
import type { RetryQueue } from './retry-queue.ts'

export type SweptTable = { queue: string; table: string; sweptBy: 'due_at' }

/** Row counts for a queue. Waiting rows are due and not leased by any process. */
export type Backlog = {
  queue: string
  waiting: number
  /** Seconds since the oldest waiting row became due; 0 if no rows are waiting. */
  oldest: number
  /** Rows whose last attempt failed and that await a retry. Always 0 unless the table's `tries` column counts failures. */
  failing: number
}

export const backlogQuery = (
  tables: readonly (RetryQueue | SweptTable)[],
  productNow: Temporal.Instant,
): RawBuilder<Backlog> => {
  const at = { product: toDate(productNow), real: toDate(realNow()) }
  return sql<Backlog>`${sql.join(
    tables.map((table) =>
      'sweptBy' in table ? sweptTableBacklogQuery(table, at.product) : retryBacklogQuery(table, at.real),
    ),
    sql` union all `,
  )}`
}

const oldestAgeSeconds = (column: string, now: Date) =>
  sql`coalesce(greatest(0, extract(epoch from ${now}::timestamptz - min(${sql.ref(column)}))), 0)::float8`

const sweptTableBacklogQuery = ({ queue, table, sweptBy }: SweptTable, now: Date) => sql`
  select ${queue}::text as queue, count(*)::int as waiting, ${oldestAgeSeconds(sweptBy, now)} as oldest, 0 as failing
  from ${sql.table(table)} where ${sql.ref(sweptBy)} <= ${now}`

const isNotLeased = ({ leasedUntil }: RetryQueue, now: Date) =>
  leasedUntil ? sql`(${sql.ref(leasedUntil)} is null or ${sql.ref(leasedUntil)} < ${now})` : sql`true`

function retryBacklogQuery(retries: RetryQueue, now: Date) {
  const { queue, table, countsFailures } = retries
  const waits = sql`retry_at <= ${now} and ${isNotLeased(retries, now)}`
  const fails = countsFailures ? sql`tries > 0 and retry_at is not null` : sql`false`
  return sql`
    select ${queue}::text as queue, (count(*) filter (where ${waits}))::int as waiting,
      coalesce(greatest(0, extract(epoch from ${now}::timestamptz - min(retry_at) filter (where ${waits}))), 0)::float8 as oldest,
      (count(*) filter (where ${fails}))::int as failing
    from ${sql.table(table)} where retry_at is not null and (${waits} or ${fails})`
}

export async function countDueRows(db: Db, tables: readonly RetryQueue[]): Promise<number> {
  if (tables.length === 0) return 0
  const now = toDate(realNow())
  const counts = tables.map(
    (each) =>
      sql`(select count(*) from ${sql.table(each.table)} where retry_at <= ${now} and ${isNotLeased(each, now)})`,
  )
  const { rows } = await sql<{ count: number }>`select (${sql.join(counts, sql` + `)})::int as count`.execute(db)
  return rows[0]?.count ?? 0
}
