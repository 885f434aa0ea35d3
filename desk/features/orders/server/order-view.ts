import { formatCardName } from '#kit/contract/card-types.ts'
import { formatPrice, centsToDecimal } from '#kit/contract/money.ts'
import type { Db } from '#kit/server/db.ts'
import { presentDispute } from '#features/disputes/server/disputes.present.ts'
import { listOrderDisputes } from '#features/disputes/server/disputes.store.ts'
import { presentPurchase } from '#features/invoices/server/invoices.present.ts'
import { listOrderDocuments } from '#features/invoices/server/invoices.store.ts'
import { isAutoRenewing, findRefundDetails } from '#features/next-plan/server/cancel-terms.ts'
import { findStaffReasonNotToCancel } from '#features/next-plan/server/cancel-rejection.ts'
import { listOpenTasksOfOrder } from '#features/operator-tasks/server/operator-tasks.store.ts'
import {
  describeReversals,
  findReasonNotToCancel,
  findReasonNotToRetry,
} from '#features/orders/server/order-actions.ts'
import { type OrderEventRow, listOrderEvents } from '#features/orders/server/order-events.store.ts'
import { type Operation, listOrderOperations } from '#features/orders/server/operations.store.ts'
import { findOrderByCode, type Order } from '#features/orders/server/orders.store.ts'
import { type Attempt, listAttempts } from '#features/orders/server/payments.store.ts'
import { isRefundOpen } from '#features/refunds/refunds.states.ts'
import { findRefundEligibility } from '#features/refunds/server/refund-eligibility.ts'
import { type Refund, listOrderRefunds } from '#features/refunds/server/refunds.store.ts'
import { isPlanQueued } from '#features/services/server/queued-plans.store.ts'

export type OrderRecord = NonNullable<Awaited<ReturnType<typeof readOrder>>>

export async function readOrder(db: Db, code: string) {
  const order = await findOrderByCode(db, code)
  if (!order) return null
  const refunds = await listOrderRefunds(db, order.id)
  const refundEligibility = await findRefundEligibility(db, order)
  const isPlanWaiting = await isPlanQueued(db, order.id)
  const cancellationRejection = isPlanWaiting
    ? await findStaffReasonNotToCancel(db, order)
    : findReasonNotToCancel(order.state)
  return {
    order,
    refunds,
    attempts: await listAttempts(db, order.id),
    operations: await listOrderOperations(db, order.id),
    disputes: await listOrderDisputes(db, order.id),
    tasks: await listOpenTasksOfOrder(db, order.id),
    events: await listOrderEvents(db, order.id),
    documents: await listOrderDocuments(db, order.id),
    refundableCents: 'why' in refundEligibility ? null : refundEligibility.mostCents,
    refundWhy: 'why' in refundEligibility ? refundEligibility.why : null,
    retryWhy: refunds.some(({ state }) => isRefundOpen(state)) ? null : findReasonNotToRetry(order),
    cancelWhy: cancellationRejection,
    undone:
      cancellationRejection === null
        ? await (isPlanWaiting ? listCancellationEffects : describeReversals)(db, order)
        : [],
    isWaiting: isPlanWaiting,
    refundAllWhy: 'why' in refundEligibility ? null : refundEligibility.notAllWhy,
  }
}

async function listCancellationEffects(db: Db, order: Order): Promise<string[]> {
  const refundDetails = await findRefundDetails(db, order)
  const plan = 'the next plan is removed at the network, and the current plan stays'
  const money =
    refundDetails.by === 'voucher'
      ? 'its voucher can be used again unless it has expired or is void'
      : `${formatPrice(refundDetails.leftCents)} goes back to ${refundDetails.card}`
  const isRenewing = await isAutoRenewing(db, order.service_id ?? '')
  return [plan, money, ...(isRenewing ? [order.auto_renewal ? autoRenewalOffText : autoRenewalOnText] : [])]
}

const autoRenewalOffText = 'auto-renewal is switched off, so the card is not charged again'
const autoRenewalOnText =
  'auto-renewal stays on: it emails the customer the amount before it charges the card for another plan'

export type OrderView = NonNullable<Awaited<ReturnType<typeof viewOrder>>>

export async function viewOrder({ db }: { db: Db }, code: string) {
  const record = await readOrder(db, code)
  if (!record) return null
  const { order } = record
  return {
    order_code: order.order_code,
    kind: order.kind,
    state: order.state,
    title: order.product.title,
    amount: centsToDecimal(order.amount_cents),
    currency: order.currency,
    email: order.email,
    full_name: order.full_name,
    msisdn: order.msisdn,
    created: order.created_at.toISOString(),
    failure: order.failure_code,
    tries: order.tries,
    next_try: toIsoString(order.retry_at),
    // When Fantail gives up on a held order, by the application's clock.
    given_up: toIsoString(order.due_at),
    attempts: record.attempts.map(presentAttempt),
    operations: record.operations.map(presentOperation),
    refunds: record.refunds.map(presentRefund),
    disputes: record.disputes.map((dispute) => presentDispute(dispute, order.order_code)),
    tasks: record.tasks.map(({ id, reason, due_at }) => ({ id, reason, due: toIsoString(due_at) })),
    events: record.events.map(presentEvent),
    documents: record.documents.map(presentPurchase),
    refundable: record.refundableCents === null ? null : centsToDecimal(record.refundableCents),
    refund_why: record.refundWhy,
    refund_all_why: record.refundAllWhy,
    retry_why: record.retryWhy,
    cancel_why: record.cancelWhy,
    undone_by_cancel: record.undone,
  }
}

const toIsoString = (at: Date | null): string | null => at?.toISOString() ?? null

const presentAttempt = (attempt: Attempt) => ({
  reference: attempt.reference,
  state: attempt.state,
  amount: centsToDecimal(attempt.amount_cents),
  card: attempt.card?.lastFour ? formatCardName(attempt.card.type, attempt.card.lastFour) : null,
  psp_reference: attempt.psp_reference,
  refusal: attempt.refusal,
  created: attempt.created_at.toISOString(),
  captured: toIsoString(attempt.captured_at),
  capture_failed: toIsoString(attempt.capture_failed_at),
  cancelled: toIsoString(attempt.cancelled_at),
})

const presentOperation = (operation: Operation) => ({
  external_id: operation.external_id,
  kind: operation.kind,
  state: operation.state,
  fault: operation.fault,
  created: operation.created_at.toISOString(),
  acknowledged: toIsoString(operation.acknowledged_at),
  ended: toIsoString(operation.ended_at),
})

const presentRefund = ({ reference, state, amount_cents, reason, refusal, created_at, retry_at }: Refund) => ({
  reference,
  state,
  amount: centsToDecimal(amount_cents),
  reason,
  refusal,
  created: created_at.toISOString(),
  next_try: toIsoString(retry_at),
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
}: OrderEventRow) => ({
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
