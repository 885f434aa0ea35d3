import type { Trx } from '#kit/server/db.ts'
import { freeVoucher } from '#features/vouchers/server/vouchers.store.ts'
import { kinds } from './kinds.ts'
import type { OrderDeps } from './orders.deps.ts'
import type { Order } from './orders.store.ts'

export async function giveBack(
  trx: Trx,
  deps: OrderDeps,
  order: Order,
  { isStuck } = { isStuck: false },
): Promise<void> {
  await kinds[order.kind].giveBack(trx, deps, order, isStuck)
  if (order.voucher_id) await freeVoucher(trx, order.id)
}
