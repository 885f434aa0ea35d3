import { sql } from 'kysely'
import type { Db, Trx } from '#kit/server/db.ts'
import type { Due } from '#kit/server/due.ts'
import { endStates } from '#features/orders/orders.states.ts'

/** Whether a charge is under way, or has ended. */
export const hasCharge: Due = () => sql<boolean>`exists (select from auto_renewals where charge_order_id is not null)`

/** A service whose charge is over; `isThrough`: its next plan is there. */
export type EndedCharge = { serviceId: string; isThrough: boolean }

/** Services whose charge is over, whichever way it went. Nothing is locked. */
export async function findEndedCharges(db: Db, limit: number): Promise<EndedCharge[]> {
  const rows = await endedCharges(db, limit).execute()
  return rows.map((row) => ({ serviceId: row.service_id, isThrough: row.state === 'completed' }))
}

export const endedCharges = (db: Db | Trx, limit: number) =>
  db
    .selectFrom('auto_renewals')
    // Each order by its id: of thousands of charges the planner would rather go through all orders there are.
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

/** The charges of these services are through: nothing is done for their plans any more. Answers those of which that was so. */
export async function endThroughCharges(trx: Trx, serviceIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ service_id: string }>`
    update auto_renewals set charge_order_id = null, step = null, due_at = null, attempts = 0 from orders
    where auto_renewals.service_id = any(${serviceIds}::uuid[]) and orders.id = charge_order_id and orders.state = 'completed'
    returning auto_renewals.service_id`.execute(trx)
  return rows.map((row) => row.service_id)
}

/** How many charges have been written down of which nobody has asked yet; no more than so many are counted. */
export async function countUnasked(trx: Trx, most: number): Promise<number> {
  // Whoever is to be asked about is to be looked at again: of all that was ever sold these are few.
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from orders where retry_at is not null and auto_renewal and state = 'paying' limit ${most}
    ) as unasked`.execute(trx)
  return rows[0]?.count ?? 0
}
