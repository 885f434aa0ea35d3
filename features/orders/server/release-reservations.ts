import type { Trx } from '#kit/server/db.ts'
import { releaseVoucher } from '#features/vouchers/server/vouchers.store.ts'
import { orderTypes } from './order-types.ts'
import type { OrderDeps } from './orders.deps.ts'
import type { Order } from './orders.store.ts'

export async function releaseReservations(
  trx: Trx,
  deps: OrderDeps,
  order: Order,
  { isStuck } = { isStuck: false },
): Promise<void> {
  await orderTypes[order.kind].releaseReservations(trx, deps, order, isStuck)
  if (order.voucher_id) await releaseVoucher(trx, order.id)
}
