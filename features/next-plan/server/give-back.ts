import { formatPrice } from '#kit/contract/money.ts'
import type { Trx } from '#kit/server/db.ts'
import { theSystem } from '#kit/server/actor.ts'
import { restartAutoRenewals } from '#features/auto-renewal/server/auto-renewal.ts'
import { disputedCents } from '#features/disputes/server/disputes.store.ts'
import { reportToOperator } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { cameTooLate } from '#features/orders/orders.states.ts'
import { whoCancelledPlan } from '#features/orders/server/order-events.store.ts'
import { moveOrder, type Order, paysByCard } from '#features/orders/server/orders.store.ts'
import { lockPaymentOf } from '#features/orders/server/payments.store.ts'
import { isReplaced } from '#features/orders/server/purchases.store.ts'
import { isRefundOpen } from '#features/refunds/refunds.states.ts'
import { leftOf, refundLater } from '#features/refunds/server/refunds.ts'
import { findScheduleOf, lockService } from '#features/services/server/plan-life.store.ts'
import { findQueuedPlan } from '#features/services/server/queued-plans.store.ts'
import { returnVoucher } from '#features/vouchers/server/vouchers.store.ts'
import { sendPlanCancelled, sendTooLate } from './next-plan.mail.ts'
import type { NextPlanDeps } from './next-plan.deps.ts'
import { isRenewing, whatGoesBack } from './terms.ts'
import { afterWords, autoRenewalOff, insteadWords, type WhatGoesBack } from './words.ts'

/**
 * Completes a cancellation after the network has removed the plan. One transaction cancels the order, schedules the
 * refund or returns the voucher, restarts auto-renewal, and notifies the customer.
 * Returns `wait` while another refund of the order has no outcome, because the amount left depends on it. Returns
 * `stop` when another worker was first.
 */
export async function planRemoved(trx: Trx, deps: NextPlanDeps, order: Order): Promise<Order | 'wait' | 'stop'> {
  await lockPaymentOf(trx, order.id)
  if ((await leftOf(trx, order)).refunds.some(({ state }) => isRefundOpen(state))) return 'wait'
  const moved = await moveOrder(trx, order, 'plan_removed')
  if (!moved) return 'stop'
  const back = await whatGoesBack(trx, moved)
  await giveBack(trx, deps, moved, back)
  await tellWhatIsNext(trx, deps, moved, back)
  return moved
}

async function giveBack(trx: Trx, deps: NextPlanDeps, order: Order, back: WhatGoesBack): Promise<void> {
  if (back.by === 'voucher') return returnVoucher(trx, order.id)
  const by = await whoCancelledPlan(trx, order.id)
  const actor = by ? theSystem : ({ by: 'customer', userId: order.user_id ?? '' } as const)
  const wish = { reason: await reasonOf(trx, order, by) }
  if (back.leftCents > 0) await refundLater(trx, deps, { orderCode: order.order_code, actor, wish })
  await reportWhatStays(trx, order)
}

async function reasonOf(trx: Trx, order: Order, by: string | null): Promise<string> {
  if (cameTooLate(order)) return 'the plan it was meant to replace had already started'
  return (await isReplaced(trx, order.id))
    ? 'the customer chose another next plan'
    : `the next plan was cancelled by ${by ?? 'the customer'}`
}

async function reportWhatStays(trx: Trx, order: Order): Promise<void> {
  const { cents } = await leftOf(trx, order)
  const disputed = await disputedCents(trx, order.id)
  const what = [
    ...(cents > 0 ? [`${formatPrice(cents)} of its payment can still be refunded`] : []),
    ...(disputed > 0 ? [`${formatPrice(disputed)} is disputed (the customer gets it back either way)`] : []),
  ]
  if (paysByCard(order) && what.length > 0)
    await reportToOperator(trx, {
      kind: 'refund',
      orderId: order.id,
      reason: `the plan of ${order.order_code} was cancelled before it started: ${what.join(', ')}`,
    })
}

async function tellWhatIsNext(trx: Trx, deps: NextPlanDeps, order: Order, back: WhatGoesBack): Promise<void> {
  const serviceId = order.service_id ?? ''
  const service = await lockService(trx, serviceId)
  const plan = service && !service.released_at ? await findScheduleOf(trx, serviceId) : null
  if (cameTooLate(order)) return sendTooLate(trx, deps, order, back)
  const next = plan && (await findQueuedPlan(trx, serviceId))
  if (next) return sendPlanCancelled(trx, deps, order, { back, after: insteadWords(next, deps.market) })
  // Skipped when the plan that this order was to follow has been replaced since.
  if (plan && plan.orderId === order.renews_order_id)
    await restartAutoRenewals(trx, deps, [{ serviceId, expiresAt: plan.expiresAt }])
  const at = { now: deps.clock.now(), zone: deps.market.zone }
  const running = plan && { expiresAt: plan.expiresAt, isRenewing: await isRenewing(trx, serviceId) }
  const isOff = order.auto_renewal && !running?.isRenewing
  const after = running && [afterWords(running, at), ...(isOff ? [autoRenewalOff] : [])].join(' ')
  await sendPlanCancelled(trx, deps, order, { back, after })
}
