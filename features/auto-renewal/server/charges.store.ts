import { sql } from 'kysely'
import type { Db, Trx } from '#kit/server/db.ts'
import type { DueCondition } from '#kit/server/due-conditions.ts'
import { endStates } from '#features/orders/orders.states.ts'

/**
 * True while a charge is in progress or its outcome is not recorded yet. The query reads the first entry of an index. With `exists`,
 * PostgreSQL would scan the whole table if it expects many charges.
 */
export const hasUnrecordedCharge: DueCondition = () =>
  sql<boolean>`(
    select charge_order_id from auto_renewals where charge_order_id is not null order by charge_order_id limit 1
  ) is not null`

/** A charge whose order has reached a final state. `isPlanAdded` is true if the next plan was added. */
export type EndedCharge = { serviceId: string; isPlanAdded: boolean }

export async function findEndedCharges(db: Db, limit: number): Promise<EndedCharge[]> {
  const rows = await endedChargesQuery(db, limit).execute()
  return rows.map((row) => ({ serviceId: row.service_id, isPlanAdded: row.state === 'completed' }))
}

export const endedChargesQuery = (db: Db | Trx, limit: number) =>
  db
    .selectFrom('auto_renewals')
    // Use a lateral join to look up each order by id. Without it, the planner scans all orders once there are thousands of charges.
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('orders')
          .select(['id', 'state', 'created_at'])
          .whereRef('orders.id', '=', 'charge_order_id')
          .limit(1)
          .as('charge'),
      (join) => join.onTrue(),
    )
    .select(['service_id', 'charge.state'])
    .where('charge_order_id', 'is not', null)
    .where('charge.state', 'in', endStates)
    .orderBy('charge.created_at')
    .orderBy('charge.id')
    .limit(limit)

export async function endSuccessfulCharges(trx: Trx, serviceIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ service_id: string }>`
    update auto_renewals set charge_order_id = null, step = null, due_at = null, attempts = 0 from orders
    where auto_renewals.service_id = any(${serviceIds}::uuid[]) and orders.id = charge_order_id and orders.state = 'completed'
    returning auto_renewals.service_id`.execute(trx)
  return rows.map((row) => row.service_id)
}

/** Counts charges that have been placed but not yet sent to the gateway, up to `maxCount`. */
export async function countUnsentCharges(trx: Trx, maxCount: number): Promise<number> {
  // Every unsent charge has a `retry_at`, but few other orders do, so this condition keeps the scan small.
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from orders where retry_at is not null and auto_renewal and state = 'paying' limit ${maxCount}
    ) as unasked`.execute(trx)
  return rows[0]?.count ?? 0
}
