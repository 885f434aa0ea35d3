import type { Trx } from '#kit/server/db.ts'
import { giveUpNextPlan } from '#features/services/server/services.ts'
import { freeSim } from '#features/services/server/sim-packs.store.ts'
import { freeVoucher } from '#features/vouchers/server/vouchers.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import type { Order } from './orders.store.ts'

/** Frees what the order had claimed, for whoever comes next. */
export async function giveBack(trx: Trx, deps: OrderDeps, order: Order, { sim }: { sim: boolean } = { sim: true }): Promise<void> {
  if (order.kind === 'activation' && sim) await freeSim(trx, order.id)
  if (order.kind === 'recharge' && order.service_id) await giveUpNextPlan(trx, deps, order.service_id)
  if (order.voucher_id) await freeVoucher(trx, order.id)
}
