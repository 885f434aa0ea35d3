import type { Selectable } from 'kysely'
import type { Db, Tables } from '#kit/server/db.ts'

/** The entire contents of Fantail's tables, so that audit rules don't need a query for each order. */
export type ProductRecords = Awaited<ReturnType<typeof readTables>>

/** Reads all tables in a single snapshot, or in the current transaction if one is open. */
export const readProductRecords = (db: Db): Promise<ProductRecords> =>
  db.isTransaction ? readTables(db) : db.transaction().setIsolationLevel('repeatable read').execute(readTables)

async function readTables(db: Db) {
  const all = <T extends keyof Tables>(table: T): Promise<Selectable<Tables[T]>[]> =>
    db.selectFrom<keyof Tables>(table).selectAll().execute() as Promise<never>
  const [clock] = await all('clock')
  return {
    clockOffsetMs: Number(clock?.offset_ms ?? 0),
    attempts: await all('payment_attempts'),
    deadlines: await all('service_deadlines'),
    disputes: await all('disputes'),
    documents: await all('invoices'),
    forgotten: new Set((await all('erasures')).map(({ user_id }) => user_id)),
    messages: await all('messages'),
    notifications: await all('gateway_notifications'),
    operations: await all('network_operations'),
    orders: await all('orders'),
    ports: await all('porting_requests'),
    queuedPlans: await all('queued_plans'),
    refunds: await all('refunds'),
    refusedPayments: await all('refused_payments'),
    releases: await all('service_releases'),
    schedules: await all('schedules'),
    services: await all('services'),
    sims: await all('sim_packs'),
    tasks: await db.selectFrom('operator_tasks').selectAll().where('done_at', 'is', null).execute(),
    updates: await all('card_updates'),
    users: await all('users'),
    vouchers: await all('vouchers'),
  }
}

export function groupByOrder<Row extends { order_id: string | null }>(
  rows: readonly Row[],
): (orderId: string) => Row[] {
  const rowsByOrder = Map.groupBy(rows, (row) => row.order_id)
  return (orderId) => rowsByOrder.get(orderId) ?? []
}

export const sumOf = (amounts: readonly number[]): number => amounts.reduce((all, cents) => all + cents, 0)
