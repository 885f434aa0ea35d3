import { transact } from '#kit/server/db.ts'
import { toDate } from '#kit/server/clock.ts'
import { writeInvoice } from '#features/invoices/server/invoices.ts'
import { findPortOfOrder } from '#features/porting/server/porting.store.ts'
import { submitOrPollPort } from '#features/porting/server/porting.ts'
import { redeemVoucher } from '#features/vouchers/server/vouchers.store.ts'
import { cameTooLate } from '../orders.states.ts'
import { kinds } from './kinds.ts'
import type { OrderDeps } from './orders.deps.ts'
import { moveOrder, type Order } from './orders.store.ts'
import { namePayment } from './payment-source.ts'
import type { StepResult } from './step.ts'
import { beginCancellingPlan } from './unqueue-plan.ts'

// After this many tries the order completes without the number transfer, because the service already works. The
// transfer is retried on its own.
const portTriesBeforeGoingOn = 4

export async function finish(deps: OrderDeps, order: Order): Promise<StepResult> {
  const port = order.porting ? await findPortOfOrder(deps.db, order.id) : undefined
  if (
    port?.status === 'NEW' &&
    order.tries < portTriesBeforeGoingOn &&
    (await submitOrPollPort(deps, port)) === 'unknown'
  )
    return 'wait'
  return transact(deps.db, async (trx) => {
    const moved = await moveOrder(trx, order, 'finished', { completed_at: toDate(deps.clock.now()) })
    if (!moved) return 'stop'
    const { service_id, user_id } = moved
    if (!service_id || !user_id) throw new Error(`order ${order.order_code} is finished without a service`)
    const bought = { ...moved, service_id, user_id }
    if (order.voucher_id) await redeemVoucher(trx, order.voucher_id, deps.clock.now())
    await writeInvoice(trx, deps, { ...bought, paidWith: await namePayment(trx, order) })
    if (cameTooLate(moved)) return (await beginCancellingPlan(trx, deps, moved)) ?? 'stop'
    await kinds[order.kind].complete(trx, deps, bought, order)
    return moved
  })
}
