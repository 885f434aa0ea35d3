import { sql } from 'kysely'
import { toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { endStates, nonBlockingStates } from '../orders.states.ts'
import type { Order } from './orders.store.ts'

export const findPurchaseByKey = (db: Db | Trx, userId: string, key: string): Promise<Order | undefined> =>
  db
    .selectFrom('orders')
    .selectAll()
    .where('user_id', '=', userId)
    .where('idempotency_key', '=', key)
    .where('kind', '!=', 'activation')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()

export async function isReplaced(trx: Trx, orderId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('orders')
    .select('id')
    .where('instead_of_order_id', '=', orderId)
    .where('state', 'in', ['finishing', 'completed', 'cancelling', 'cancelled'])
    .executeTakeFirst()
  return row !== undefined
}

export const findOpenAddOnOrder = (trx: Trx, serviceId: string, productId: string): Promise<Order | undefined> =>
  trx
    .selectFrom('orders')
    .selectAll()
    .where('service_id', '=', serviceId)
    .where('product_id', '=', productId)
    .where('kind', '=', 'addon')
    .where('state', 'not in', endStates)
    .executeTakeFirst()

export async function hasBoughtDataSince(db: Db, serviceId: string, since: Temporal.Instant): Promise<boolean> {
  const row = await db
    .selectFrom('orders')
    .select('id')
    .where('service_id', '=', serviceId)
    .where('kind', '=', 'addon')
    .where('state', 'not in', nonBlockingStates)
    .where('created_at', '>=', toDate(since))
    .where(sql<boolean>`((product->>'data_gb')::numeric > 0 or (product->>'roaming')::boolean)`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
