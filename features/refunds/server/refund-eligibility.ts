import { formatPrice } from '#kit/contract/money.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { sumDisputedCents } from '#features/disputes/server/disputes.store.ts'
import { paysByCard, type Order } from '#features/orders/server/orders.store.ts'
import { type Attempt, findLatestAttempt } from '#features/orders/server/payments.store.ts'
import { isPlanQueued } from '#features/services/server/queued-plans.store.ts'
import { isRefundOwed, isRefundOpen } from '../refunds.states.ts'
import { sumRefundedCents, type Refund, listOrderRefunds } from './refunds.store.ts'

/** How much of an order can be refunded. While a returned refund is still owed, no other refund can be made. */
export type RefundEligibility = {
  attempt: Attempt
  mostCents: number
  owed: Refund | null
  refused: Refund | null
  notAllWhy: string | null
}

/**
 * Computes the refundable amount: what was captured, minus disputes and refunds, including open refunds. If nothing can
 * be refunded, returns the reason. A caller that is about to refund must lock the payment first.
 */
export async function findRefundEligibility(db: Db | Trx, order: Order): Promise<RefundEligibility | { why: string }> {
  const attempt = await findLatestAttempt(db, order.id)
  const rejectionReason = getRefundRejectionReason(order, attempt)
  if (!attempt || rejectionReason) return { why: rejectionReason ?? 'This order was never paid.' }
  const refunds = await listOrderRefunds(db, order.id)
  if (refunds.some(({ state }) => isRefundOpen(state))) return { why: 'A refund of this order is already in progress.' }
  const disputedAmountCents = await sumDisputedCents(db, order.id)
  const remainingCents = attempt.amount_cents - sumRefundedCents(refunds)
  const owedRefund = refunds.find(isRefundOwed) ?? null
  // The owed amount has already been subtracted from `remainingCents`, because it counts as refunded.
  if (owedRefund && remainingCents - disputedAmountCents >= 0)
    return { attempt, mostCents: owedRefund.amount_cents, owed: owedRefund, refused: null, notAllWhy: null }
  if (!owedRefund && remainingCents - disputedAmountCents > 0)
    return {
      attempt,
      mostCents: remainingCents - disputedAmountCents,
      owed: owedRefund,
      refused: refunds.find(({ state }) => state === 'refused') ?? null,
      notAllWhy: (await isPlanQueued(db, order.id)) ? queuedPlanMessage : null,
    }
  return {
    why:
      remainingCents <= 0 && !owedRefund
        ? 'This order was already refunded.'
        : describeDisputedAmount(disputedAmountCents),
  }
}

const queuedPlanMessage =
  'This plan has not started yet, and a refund would not cancel it. For a full refund, cancel the next plan.'

export function getAmountRejectionReason(
  { mostCents, owed, notAllWhy }: RefundEligibility,
  cents: number,
): string | null {
  if (owed && cents !== mostCents)
    return `A refund of ${formatPrice(mostCents)} was returned, so we still owe the customer that amount. Refund it first.`
  if (cents <= 0) return 'Enter an amount above $0.00.'
  if (cents > mostCents) return `At most ${formatPrice(mostCents)} of this order can still be refunded.`
  return cents === mostCents ? notAllWhy : null
}

const describeDisputedAmount = (cents: number): string =>
  `${formatPrice(cents)} of this order is disputed and nothing else is left to refund. The bank takes the disputed money back itself.`

function getRefundRejectionReason(order: Order, attempt: Attempt | undefined): string | null {
  if (order.state === 'refused' || order.state === 'undone')
    return 'This order did not go through, so there is nothing to refund.'
  if (order.state !== 'completed' && order.state !== 'cancelled')
    return `This order is not finished yet: it is ${order.state}.`
  if (!paysByCard(order)) return 'This order was paid with a voucher, so there is no money to refund.'
  if (attempt?.state !== 'captured') return 'The payment for this order was never taken.'
  return attempt.capture_failed_at ? 'The gateway later reported that the payment for this order had failed.' : null
}
