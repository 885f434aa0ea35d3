import { sql } from 'kysely'
import { toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'

type TimeSpan = { from: Temporal.Instant; to: Temporal.Instant }

/**
 * This condition repeats the partial index's predicate. PostgreSQL uses that index in a generic plan only if the values
 * are literals in the SQL.
 */
const undoneActivationCondition = sql<boolean>`orders.kind = 'activation' and orders.state = 'undone'`

export async function countFailuresBySimLoad(
  db: Db | Trx,
  failureCode: string,
  { from, to }: TimeSpan,
): Promise<{ load: string | null; failed: number }[]> {
  const rows = await db
    .selectFrom('orders')
    .innerJoin('sim_packs', 'sim_packs.iccid', 'orders.iccid')
    .select(({ fn }) => ['sim_packs.load_id', fn.countAll().as('failed')])
    .where('orders.created_at', '>=', toDate(from))
    .where('orders.created_at', '<=', toDate(to))
    .where(undoneActivationCondition)
    .where('orders.failure_code', '=', failureCode)
    .groupBy('sim_packs.load_id')
    .execute()
  return rows
    .map(({ load_id: load, failed }) => ({ load, failed: Number(failed) }))
    .toSorted((one, other) => other.failed - one.failed)
}

export async function countActivationsBySimLoad(
  db: Db,
  loads: readonly string[],
  since: Temporal.Instant,
): Promise<Map<string, { activated: number; failed: number }>> {
  if (loads.length === 0) return new Map()
  const rows = await db
    .selectFrom('orders')
    .innerJoin('sim_packs', 'sim_packs.iccid', 'orders.iccid')
    .select(({ fn }) => [
      'sim_packs.load_id',
      fn.countAll().filterWhere('orders.state', '=', 'completed').as('activated'),
      fn.countAll().filterWhere('orders.state', '=', 'undone').as('failed'),
    ])
    .where('orders.created_at', '>=', toDate(since))
    .where('orders.kind', '=', 'activation')
    .where('orders.state', 'in', ['completed', 'undone'])
    .where('sim_packs.load_id', 'in', loads)
    .groupBy('sim_packs.load_id')
    .execute()
  return new Map(
    rows.map(({ load_id: load, activated, failed }) => [
      load ?? '',
      { activated: Number(activated), failed: Number(failed) },
    ]),
  )
}
