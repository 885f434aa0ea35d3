import { formatPrice } from '#kit/contract/money.ts'
import type { Trx } from '#kit/server/db.ts'
import { systemActor } from '#kit/server/actor.ts'
import { restartAutoRenewals } from '#features/auto-renewal/server/auto-renewal.ts'
import { sumDisputedCents } from '#features/disputes/server/disputes.store.ts'
import { createTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { isReplacementTooLate } from '#features/orders/orders.states.ts'
import { findPlanCanceller } from '#features/orders/server/order-events.store.ts'
import { transitionOrder, type Order, paysByCard } from '#features/orders/server/orders.store.ts'
import { lockOrderPayment } from '#features/orders/server/payments.store.ts'
import { isReplaced } from '#features/orders/server/purchases.store.ts'
import { isRefundOpen } from '#features/refunds/refunds.states.ts'
import { findRefundableAmount, scheduleRefund } from '#features/refunds/server/refunds.ts'
import { findServiceSchedule, lockService } from '#features/services/server/plan-life.store.ts'
import { findQueuedPlan } from '#features/services/server/queued-plans.store.ts'
import { makeVoucherRedeemable } from '#features/vouchers/server/vouchers.store.ts'
import { sendPlanCancelledMail, sendReplacementCancelledMail } from './next-plan.mail.ts'
import type { NextPlanDeps } from './next-plan.deps.ts'
import { isAutoRenewing, findRefundDetails } from './cancel-terms.ts'
import {
  describeRunningPlan,
  autoRenewalOffMessage,
  describeReplacementPlan,
  type RefundDetails,
} from './next-plan.labels.ts'

/**
 * Completes a cancellation after the network has removed the plan. One transaction cancels the order, schedules the
 * refund or returns the voucher, restarts auto-renewal, and notifies the customer. Returns `wait` while another refund
 * for the order is still open, because the remaining amount depends on its outcome. Returns `stop` if another worker has
 * already changed the order's state.
 */
export async function handlePlanRemoval(trx: Trx, deps: NextPlanDeps, order: Order): Promise<Order | 'wait' | 'stop'> {
  await lockOrderPayment(trx, order.id)
  if ((await findRefundableAmount(trx, order)).refunds.some(({ state }) => isRefundOpen(state))) return 'wait'
  const updatedOrder = await transitionOrder(trx, order, 'plan_removed')
  if (!updatedOrder) return 'stop'
  const refundDetails = await findRefundDetails(trx, updatedOrder)
  await refundOrReturnVoucher(trx, deps, updatedOrder, refundDetails)
  await sendCancellationMail(trx, deps, updatedOrder, refundDetails)
  return updatedOrder
}

async function refundOrReturnVoucher(
  trx: Trx,
  deps: NextPlanDeps,
  order: Order,
  refundDetails: RefundDetails,
): Promise<void> {
  if (refundDetails.by === 'voucher') return makeVoucherRedeemable(trx, order.id)
  const cancelledBy = await findPlanCanceller(trx, order.id)
  const actor = cancelledBy ? systemActor : ({ by: 'customer', userId: order.user_id ?? '' } as const)
  const refundRequest = { reason: await findRefundReason(trx, order, cancelledBy) }
  if (refundDetails.leftCents > 0)
    await scheduleRefund(trx, deps, { orderCode: order.order_code, actor, wish: refundRequest })
  await reportUnrefundedPart(trx, order)
}

async function findRefundReason(trx: Trx, order: Order, cancelledBy: string | null): Promise<string> {
  if (isReplacementTooLate(order)) return 'the plan it was meant to replace had already started'
  return (await isReplaced(trx, order.id))
    ? 'the customer chose another next plan'
    : `the next plan was cancelled by ${cancelledBy ?? 'the customer'}`
}

async function reportUnrefundedPart(trx: Trx, order: Order): Promise<void> {
  const { cents } = await findRefundableAmount(trx, order)
  const disputedCents = await sumDisputedCents(trx, order.id)
  const unrefundedParts = [
    ...(cents > 0 ? [`${formatPrice(cents)} of the payment can still be refunded`] : []),
    ...(disputedCents > 0
      ? [`${formatPrice(disputedCents)} is disputed (the customer gets it back whoever wins the dispute)`]
      : []),
  ]
  if (paysByCard(order) && unrefundedParts.length > 0)
    await createTask(trx, {
      kind: 'refund',
      orderId: order.id,
      reason: `the plan of ${order.order_code} was cancelled before it started: ${unrefundedParts.join(', ')}`,
    })
}

async function sendCancellationMail(
  trx: Trx,
  deps: NextPlanDeps,
  order: Order,
  refundDetails: RefundDetails,
): Promise<void> {
  const serviceId = order.service_id ?? ''
  const service = await lockService(trx, serviceId)
  const plan = service && !service.released_at ? await findServiceSchedule(trx, serviceId) : null
  if (isReplacementTooLate(order)) return sendReplacementCancelledMail(trx, deps, order, refundDetails)
  const newQueuedPlan = plan && (await findQueuedPlan(trx, serviceId))
  if (newQueuedPlan)
    return sendPlanCancelledMail(trx, deps, order, {
      back: refundDetails,
      after: describeReplacementPlan(newQueuedPlan, deps.market),
    })
  // Auto-renewal restarts only if the service is still on the plan that the cancelled one was meant to follow.
  if (plan && plan.orderId === order.renews_order_id)
    await restartAutoRenewals(trx, deps, [{ serviceId, expiresAt: plan.expiresAt }])
  const context = { now: deps.clock.now(), zone: deps.market.zone }
  const runningPlan = plan && { expiresAt: plan.expiresAt, isRenewing: await isAutoRenewing(trx, serviceId) }
  const isAutoRenewalOff = order.auto_renewal && !runningPlan?.isRenewing
  const afterCancellationText =
    runningPlan &&
    [describeRunningPlan(runningPlan, context), ...(isAutoRenewalOff ? [autoRenewalOffMessage] : [])].join(' ')
  await sendPlanCancelledMail(trx, deps, order, { back: refundDetails, after: afterCancellationText })
}
