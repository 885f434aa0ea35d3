import { formatCardName } from '#kit/contract/card-types.ts'
import { fromDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { findAutoRenewals } from '#features/auto-renewal/server/auto-renewal.store.ts'
import { findOrder, type Order, paysByCard } from '#features/orders/server/orders.store.ts'
import { findLatestAttempt } from '#features/orders/server/payments.store.ts'
import { findRefundableAmount } from '#features/refunds/server/refunds.ts'
import type { ServiceWithPlanRow } from '#features/services/server/own-service.store.ts'
import { findQueuedPlan } from '#features/services/server/queued-plans.store.ts'
import { findVoucherById } from '#features/vouchers/server/vouchers.store.ts'
import { type CancelTerms, nextPlanMessages } from '../next-plan.contract.ts'
import type { NextPlanDeps } from './next-plan.deps.ts'
import { findReasonNotToCancelPlan } from './cancel-rejection.ts'
import { describeRunningPlan, describeRefund, type RefundDetails } from './next-plan.labels.ts'

export async function readServiceCancelTerms(deps: NextPlanDeps, service: ServiceWithPlanRow): Promise<CancelTerms> {
  const { db } = deps
  const queuedPlan = await findQueuedPlan(db, service.id)
  const order = queuedPlan && (await findOrder(db, queuedPlan.orderId))
  if (!queuedPlan || !order) return { lines: [nextPlanMessages.none], button: null }
  const rejectionReason = await findReasonNotToCancelPlan(db, deps, service.id, { order, waiting: queuedPlan })
  if (rejectionReason) return { lines: [rejectionReason], button: null }
  const context = { now: deps.clock.now(), zone: deps.market.zone }
  const refundDetails = await findRefundDetails(db, order)
  const runningPlan = { expiresAt: fromDate(service.expires_at), isRenewing: await isAutoRenewing(db, service.id) }
  return {
    lines: [describeRefund(refundDetails, context), describeRunningPlan(runningPlan, context)],
    button: refundDetails.by === 'card' && refundDetails.leftCents > 0 ? 'Cancel and refund' : 'Cancel next plan',
  }
}

export async function findRefundDetails(db: Db | Trx, order: Order): Promise<RefundDetails> {
  if (paysByCard(order)) {
    const { cents } = await findRefundableAmount(db, order)
    const card = (await findLatestAttempt(db, order.id))?.card
    const name = formatCardName(card?.type ?? null, card?.lastFour ?? null)
    return { by: 'card', card: name, paidCents: order.amount_cents, leftCents: cents }
  }
  const voucher = order.voucher_id ? await findVoucherById(db, order.voucher_id) : undefined
  if (!voucher) throw new Error(`order ${order.order_code} was paid with no voucher`)
  return { by: 'voucher', expiresAt: fromDate(voucher.expires_at), isVoid: voucher.is_void }
}

export const isAutoRenewing = async (db: Db | Trx, serviceId: string): Promise<boolean> =>
  (await findAutoRenewals(db, [serviceId])).get(serviceId)?.enabled ?? false
