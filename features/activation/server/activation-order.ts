import type { Db, Trx } from '#kit/server/db.ts'
import { findOrder, type Order } from '#features/orders/server/orders.store.ts'
import type { ActivationRow } from './activation.store.ts'

/**
 * Returns an activation's order. Pass `prefetchedOrder` to save a query; it is ignored if the activation has a
 * different order by now.
 */
export async function findActivationOrder(
  db: Db | Trx,
  { order_id: id }: ActivationRow,
  prefetchedOrder?: Order,
): Promise<Order | undefined> {
  if (!id) return undefined
  return prefetchedOrder?.id === id ? prefetchedOrder : findOrder(db, id)
}
