import type { Db, Trx } from '#kit/server/db.ts'
import { findOrder, type Order } from '#features/orders/server/orders.store.ts'
import type { ActivationRow } from './activation.store.ts'

/**
 * Finds the order of an activation. `prefetchedOrder` saves a query, unless the activation has a different order by
 * now.
 */
export async function findActivationOrder(
  db: Db | Trx,
  { order_id: id }: ActivationRow,
  prefetchedOrder?: Order,
): Promise<Order | undefined> {
  if (!id) return undefined
  return prefetchedOrder?.id === id ? prefetchedOrder : findOrder(db, id)
}
