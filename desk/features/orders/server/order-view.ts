import { cardName } from '#kit/contract/card-types.ts'
import { formatPrice, toWire } from '#kit/contract/money.ts'
import type { Db } from '#kit/server/db.ts'
import { presentDispute } from '#features/disputes/server/disputes.present.ts'
import { disputesOf } from '#features/disputes/server/disputes.store.ts'
import { presentPurchase } from '#features/invoices/server/invoices.present.ts'
import { listDocumentsOf } from '#features/invoices/server/invoices.store.ts'
import { isRenewing, whatGoesBack } from '#features/next-plan/server/terms.ts'
import { whyNotCancelledByOperator } from '#features/next-plan/server/why-not.ts'
import { openTasksOf } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { whatIsUndone, whyNotCancelled, whyNotRetried } from '#features/orders/server/order-acts.ts'
import { type HappenedToOrder, orderEventsOf } from '#features/orders/server/order-events.store.ts'
import { type Operation, operationsOf } from '#features/orders/server/operations.store.ts'
import { findOrderByCode, type Order } from '#features/orders/server/orders.store.ts'
import { type Attempt, attemptsOf } from '#features/orders/server/payments.store.ts'
import { isRefundOpen } from '#features/refunds/refunds.states.ts'
import { findRefundable } from '#features/refunds/server/refundable.ts'
import { type Refund, refundsOf } from '#features/refunds/server/refunds.store.ts'
import { isPlanWaiting } from '#features/services/server/queued-plans.store.ts'

export type WholeOrder = NonNullable<Awaited<ReturnType<typeof readOrder>>>

export async function readOrder(db: Db, code: string) {
  const order = await findOrderByCode(db, code)
  if (!order) return null
  const refunds = await refundsOf(db, order.id)
  const refundable = await findRefundable(db, order)
  const isWaiting = await isPlanWaiting(db, order.id)
  const cancelWhy = isWaiting ? await whyNotCancelledByOperator(db, order) : whyNotCancelled(order.state)
  return {
    order,
    refunds,
    attempts: await attemptsOf(db, order.id),
    operations: await operationsOf(db, order.id),
    disputes: await disputesOf(db, order.id),
    tasks: await openTasksOf(db, order.id),
    events: await orderEventsOf(db, order.id),
    documents: await listDocumentsOf(db, order.id),
    refundableCents: 'why' in refundable ? null : refundable.mostCents,
    refundWhy: 'why' in refundable ? refundable.why : null,
    retryWhy: refunds.some(({ state }) => isRefundOpen(state)) ? null : whyNotRetried(order),
    cancelWhy,
    undone: cancelWhy === null ? await (isWaiting ? whatIsCancelled : whatIsUndone)(db, order) : [],
    isWaiting,
    refundAllWhy: 'why' in refundable ? null : refundable.notAllWhy,
  }
}

async function whatIsCancelled(db: Db, order: Order): Promise<string[]> {
  const back = await whatGoesBack(db, order)
  const plan = 'the next plan is removed at the network, and the current plan stays'
  const money =
    back.by === 'voucher'
      ? 'its voucher can be used again unless it has expired or is void'
      : `${formatPrice(back.leftCents)} goes back to ${back.card}`
  const renewing = await isRenewing(db, order.service_id ?? '')
  return [plan, money, ...(renewing ? [order.auto_renewal ? renewalStops : renewalStays] : [])]
}

const renewalStops = 'auto-renewal is switched off, so the card is not charged again'
const renewalStays =
  'auto-renewal stays on: it emails the customer the amount before it charges the card for another plan'

export type OrderView = NonNullable<Awaited<ReturnType<typeof viewOrder>>>

export async function viewOrder({ db }: { db: Db }, code: string) {
  const whole = await readOrder(db, code)
  if (!whole) return null
  const { order } = whole
  return {
    order_code: order.order_code,
    kind: order.kind,
    state: order.state,
    title: order.product.title,
    amount: toWire(order.amount_cents),
    currency: order.currency,
    email: order.email,
    full_name: order.full_name,
    msisdn: order.msisdn,
    created: order.created_at.toISOString(),
    failure: order.failure_code,
    tries: order.tries,
    next_try: timeOf(order.retry_at),
    // Product-clock time at which a held order is given up.
    given_up: timeOf(order.due_at),
    attempts: whole.attempts.map(presentAttempt),
    operations: whole.operations.map(presentOperation),
    refunds: whole.refunds.map(presentRefund),
    disputes: whole.disputes.map((dispute) => presentDispute(dispute, order.order_code)),
    tasks: whole.tasks.map(({ id, reason, due_at }) => ({ id, reason, due: timeOf(due_at) })),
    events: whole.events.map(presentEvent),
    documents: whole.documents.map(presentPurchase),
    refundable: whole.refundableCents === null ? null : toWire(whole.refundableCents),
    refund_why: whole.refundWhy,
    refund_all_why: whole.refundAllWhy,
    retry_why: whole.retryWhy,
    cancel_why: whole.cancelWhy,
    undone_by_cancel: whole.undone,
  }
}

const timeOf = (at: Date | null): string | null => at?.toISOString() ?? null

const presentAttempt = (attempt: Attempt) => ({
  reference: attempt.reference,
  state: attempt.state,
  amount: toWire(attempt.amount_cents),
  card: attempt.card?.lastFour ? cardName(attempt.card.type, attempt.card.lastFour) : null,
  psp_reference: attempt.psp_reference,
  refusal: attempt.refusal,
  created: attempt.created_at.toISOString(),
  captured: timeOf(attempt.captured_at),
  capture_failed: timeOf(attempt.capture_failed_at),
  cancelled: timeOf(attempt.cancelled_at),
})

const presentOperation = (operation: Operation) => ({
  external_id: operation.external_id,
  kind: operation.kind,
  state: operation.state,
  fault: operation.fault,
  created: operation.created_at.toISOString(),
  acknowledged: timeOf(operation.acknowledged_at),
  ended: timeOf(operation.ended_at),
})

const presentRefund = ({ reference, state, amount_cents, reason, refusal, created_at, retry_at }: Refund) => ({
  reference,
  state,
  amount: toWire(amount_cents),
  reason,
  refusal,
  created: created_at.toISOString(),
  next_try: timeOf(retry_at),
})

const presentEvent = ({
  at,
  last_at,
  times,
  kind,
  name,
  subject,
  from_state,
  to_state,
  detail,
  actor,
}: HappenedToOrder) => ({
  at: at.toISOString(),
  last: last_at.toISOString(),
  times,
  kind,
  name,
  subject,
  from: from_state,
  to: to_state,
  detail,
  actor,
})
