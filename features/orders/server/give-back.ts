import type { Trx } from '#kit/server/db.ts'
import { freeSim } from '#features/services/server/sim-packs.store.ts'
import { freeVoucher } from '#features/vouchers/server/vouchers.store.ts'
import type { Order } from './orders.store.ts'

/** Frees what the order had claimed, for whoever comes next. */
export async function giveBack(trx: Trx, order: Order, { sim }: { sim: boolean } = { sim: true }): Promise<void> {
  if (order.kind === 'activation' && sim) await freeSim(trx, order.id)
  if (order.voucher_id) await freeVoucher(trx, order.id)
}
