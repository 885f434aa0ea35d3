import { transact } from '#kit/server/db.ts'
import { toDate } from '#kit/server/clock.ts'
import { writeInvoice } from '#features/invoices/server/invoices.ts'
import { findPortOfOrder } from '#features/porting/server/porting.store.ts'
import { submitOrPollPort } from '#features/porting/server/porting.ts'
import { redeemVoucher } from '#features/vouchers/server/vouchers.store.ts'
import { isReplacementTooLate } from '../orders.states.ts'
import { orderTypes } from './order-types.ts'
import type { OrderDeps } from './orders.deps.ts'
import { transitionOrder, type Order } from './orders.store.ts'
import { getPaymentMethodName } from './payment-source.ts'
import type { StepResult } from './step-result.ts'
import { initiatePlanRemoval } from './dequeue-cancelled-plan.ts'

/*
 * After this many tries the order completes even if the number transfer could not be requested, because the service already
 * works. The transfer is then retried separately.
 */
const maxPortTriesBeforeCompletion = 4

export async function runFinishStep(deps: OrderDeps, order: Order): Promise<StepResult> {
  const transfer = order.porting ? await findPortOfOrder(deps.db, order.id) : undefined
  if (
    transfer?.status === 'NEW' &&
    order.tries < maxPortTriesBeforeCompletion &&
    (await submitOrPollPort(deps, transfer)) === 'unknown'
  )
    return 'wait'
  return transact(deps.db, async (trx) => {
    const moved = await transitionOrder(trx, order, 'finished', { completed_at: toDate(deps.clock.now()) })
    if (!moved) return 'stop'
    const { service_id, user_id } = moved
    if (!service_id || !user_id) throw new Error(`order ${order.order_code} is finished without a service`)
    const completedOrder = { ...moved, service_id, user_id }
    if (order.voucher_id) await redeemVoucher(trx, order.voucher_id, deps.clock.now())
    await writeInvoice(trx, deps, { ...completedOrder, paidWith: await getPaymentMethodName(trx, order) })
    if (isReplacementTooLate(moved)) return (await initiatePlanRemoval(trx, deps, moved)) ?? 'stop'
    await orderTypes[order.kind].complete(trx, deps, completedOrder, order)
    return moved
  })
}
