import { fromDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import { lockOrderPayment } from '#features/orders/server/payments.store.ts'
import type { SettledOutcome, UnsettledRequest } from '#features/orders/payment-attempts.states.ts'
import { isRefundOpen } from '../refunds.states.ts'
import type { RefundDeps } from './refunds.deps.ts'
import { listOrderRefunds } from './refunds.store.ts'
import { recordRefundReceived, recordRefundRejected } from './refunds.ts'

export async function findUnsettledRefund(db: Db, order: Order): Promise<UnsettledRequest | null> {
  const unresolvedRefund = (await listOrderRefunds(db, order.id)).find(({ state }) => isRefundOpen(state))
  if (!unresolvedRefund) return null
  const { reference, amount_cents: cents, created_at: at } = unresolvedRefund
  return { of: 'refund', reference, cents, since: fromDate(at), may: ['paid', 'not_paid'] }
}

export async function settleRefund(
  trx: Trx,
  deps: RefundDeps,
  {
    order,
    reference,
    said,
    pspReference,
  }: { order: Order; reference: string; said: SettledOutcome; pspReference: string },
): Promise<boolean> {
  await lockOrderPayment(trx, order.id)
  const refund = (await listOrderRefunds(trx, order.id)).find((each) => each.reference === reference)
  if (!refund || !isRefundOpen(refund.state)) return false
  return said === 'paid'
    ? (await recordRefundReceived(trx, deps, { order, refund, pspReference })) !== null
    : recordRefundRejected(trx, refund, 'settled by hand')
}
