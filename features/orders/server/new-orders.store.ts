import { sql } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import { recordOrderEvents } from './order-events.store.ts'
import { type Order, overdueAfterMinutes } from './orders.store.ts'

export type NewOrder = Pick<
  Order,
  | 'id'
  | 'order_code'
  | 'kind'
  | 'state'
  | 'session_id'
  | 'user_id'
  | 'idempotency_key'
  | 'product_id'
  | 'product'
  | 'paid_with'
  | 'amount_cents'
  | 'currency'
  | 'voucher_id'
  | 'iccid'
  | 'msisdn'
  | 'email'
  | 'full_name'
  | 'password_hash'
  | 'marketing_consent'
  | 'porting'
> &
  Partial<ServiceOrderFields>

type ServiceOrderFields = Pick<
  Order,
  | 'joins_user_id'
  | 'service_id'
  | 'schedule_id'
  | 'renews_order_id'
  | 'starts_at'
  | 'auto_renewal'
  | 'instead_of_order_id'
>

const emptyServiceFields: ServiceOrderFields = {
  joins_user_id: null,
  service_id: null,
  schedule_id: null,
  renews_order_id: null,
  starts_at: null,
  auto_renewal: false,
  instead_of_order_id: null,
}

const insertedColumns = [
  'id',
  'order_code',
  'kind',
  'state',
  'version',
  'session_id',
  'user_id',
  'idempotency_key',
  'product_id',
  'product',
  'paid_with',
  'amount_cents',
  'currency',
  'voucher_id',
  'iccid',
  'msisdn',
  'email',
  'full_name',
  'password_hash',
  'marketing_consent',
  'joins_user_id',
  'porting',
  'service_id',
  'schedule_id',
  'renews_order_id',
  'starts_at',
  'instead_of_order_id',
  'auto_renewal',
  'retry_at',
  'tries',
  'overdue_at',
  'created_at',
] as const satisfies (keyof Order)[]

type OrderRow = Pick<Order, (typeof insertedColumns)[number]>

/** Inserts orders and returns them in the same sequence. The number of statements does not depend on the number of orders. */
export async function insertOrders(
  trx: Trx,
  orders: readonly NewOrder[],
  createdAt: Temporal.Instant,
): Promise<Order[]> {
  const now = realNow()
  const rows = orders.map((order): OrderRow => ({
    ...emptyServiceFields,
    ...order,
    version: 0,
    tries: 0,
    created_at: toDate(createdAt),
    overdue_at: toDate(now.add({ minutes: overdueAfterMinutes })),
    /*
     * If this process dies now, a worker finds the order by its `retry_at`. An automatic renewal is due immediately,
     * because there is no request to process it.
     */
    retry_at: toDate(order.auto_renewal ? now : now.add({ seconds: 20 })),
  }))
  const columns = sql.join(insertedColumns.map((name) => sql.ref(name)))
  const insertedOrders = await sql<Order>`insert into "orders" (${columns})
    select ${columns} from json_populate_recordset(null::orders, ${JSON.stringify(rows)}::json)
    returning *`.execute(trx)
  await recordOrderEvents(
    trx,
    orders.map(({ id, state }) => ({ orderId: id, kind: 'state', name: 'placed', to: state })),
  )
  const byId = new Map(insertedOrders.rows.map((order) => [order.id, order]))
  return orders.map(({ id }) => byId.get(id)!)
}
