import { formatPrice } from '#kit/contract/money.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { disputedCents } from '#features/disputes/server/disputes.store.ts'
import { paysByCard, type Order } from '#features/orders/server/orders.store.ts'
import { type Attempt, latestAttempt } from '#features/orders/server/payments.store.ts'
import { isPlanWaiting } from '#features/services/server/queued-plans.store.ts'
import { isOwed, isRefundOpen } from '../refunds.states.ts'
import { givenCents, type Refund, refundsOf } from './refunds.store.ts'

/** While a returned refund is owed, only that refund is possible. */
export type Refundable = {
  attempt: Attempt
  mostCents: number
  owed: Refund | null
  refused: Refund | null
  notAllWhy: string | null
}

/**
 * Computes the captured amount minus disputes and minus refunds, including open ones. Otherwise returns the reason why
 * nothing can be refunded. A caller that is about to refund must lock the payment first.
 */
export async function findRefundable(db: Db | Trx, order: Order): Promise<Refundable | { why: string }> {
  const attempt = await latestAttempt(db, order.id)
  const why = whyNot(order, attempt)
  if (!attempt || why) return { why: why ?? 'This order was never paid.' }
  const refunds = await refundsOf(db, order.id)
  if (refunds.some(({ state }) => isRefundOpen(state))) return { why: 'A refund of this order is already in progress.' }
  const disputed = await disputedCents(db, order.id)
  const left = attempt.amount_cents - givenCents(refunds)
  const owed = refunds.find(isOwed) ?? null
  // The owed amount already counts as refunded.
  if (owed && left - disputed >= 0)
    return { attempt, mostCents: owed.amount_cents, owed, refused: null, notAllWhy: null }
  if (!owed && left - disputed > 0)
    return {
      attempt,
      mostCents: left - disputed,
      owed,
      refused: refunds.find(({ state }) => state === 'refused') ?? null,
      notAllWhy: (await isPlanWaiting(db, order.id)) ? planWaits : null,
    }
  return { why: left <= 0 && !owed ? 'This order was already refunded.' : disputedWords(disputed) }
}

const planWaits =
  'This plan has not started yet, and the customer would keep it. For a full refund, cancel the next plan.'

export function whyNotThatMuch({ mostCents, owed, notAllWhy }: Refundable, cents: number): string | null {
  if (owed && cents !== mostCents)
    return `A refund of ${formatPrice(mostCents)} was returned, so the customer is still owed it. Refund that amount first.`
  if (cents <= 0) return 'Enter an amount above $0.00.'
  if (cents > mostCents) return `At most ${formatPrice(mostCents)} of this order can still be refunded.`
  return cents === mostCents ? notAllWhy : null
}

const disputedWords = (cents: number): string =>
  `${formatPrice(cents)} of this order is disputed and nothing else is left to refund. The bank takes the disputed money back itself.`

function whyNot(order: Order, attempt: Attempt | undefined): string | null {
  if (order.state === 'refused' || order.state === 'undone')
    return 'This order did not go through, so there is nothing to refund.'
  if (order.state !== 'completed' && order.state !== 'cancelled')
    return `This order is not finished yet: it is ${order.state}.`
  if (!paysByCard(order)) return 'This order was paid with a voucher, so there is no money to refund.'
  if (attempt?.state !== 'captured') return 'The payment for this order was never taken.'
  return attempt.capture_failed_at ? 'The gateway reported that the payment for this order failed later.' : null
}
