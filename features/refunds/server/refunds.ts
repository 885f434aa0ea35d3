import type { Actor } from '#kit/server/actor.ts'
import { formatPrice } from '#kit/contract/money.ts'
import { audit } from '#kit/server/audit.ts'
import { fromDate, realNow, toDate } from '#kit/server/clock.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import { computeBackOffSeconds, retryNow } from '#kit/server/retry-queue.ts'
import { sumDisputedCents } from '#features/disputes/server/disputes.store.ts'
import { writeCreditNote } from '#features/invoices/server/invoices.ts'
import { findCreditNoteCode } from '#features/invoices/server/invoices.store.ts'
import { endMatchingTasks, createTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { findOrder, findOrderByCode, type Order } from '#features/orders/server/orders.store.ts'
import {
  findLatestAttempt,
  lockAttempt,
  refundRequiredSubject,
  listPaymentNotifications,
} from '#features/orders/server/payments.store.ts'
import {
  recordUnconfirmedRequest,
  createGatewayRefundRequest,
} from '#features/orders/server/unconfirmed-requests.store.ts'
import { isRefundOpen } from '../refunds.states.ts'
import { sendRefundMail } from './refund.mail.ts'
import type { RefundDeps } from './refunds.deps.ts'
import { isRefundFailureEvent, recordReturnedRefund } from './refund-notifications.ts'
import { findRefundEligibility, getAmountRejectionReason } from './refund-eligibility.ts'
import {
  requestRefundAgain,
  sumRefundedCents,
  insertRefund,
  transitionRefund,
  type Refund,
  refundQueue,
  listOrderRefunds,
} from './refunds.store.ts'

/** The result of a refund request. `impossible` means that nothing was written or sent. */
export type RefundOutcome =
  | { outcome: 'received'; creditCode: string }
  | { outcome: 'unknown' }
  | { outcome: 'refused'; code: string }
  | { outcome: 'impossible'; why: string }

/**
 * The requested refund. Without `amountCents`, refunds everything that is left. `leftCents` is the refundable amount
 * that the operator saw.
 */
type RefundRequest = {
  amountCents?: number | undefined
  leftCents?: number | undefined
  reason?: string | null | undefined
  noted?: Record<string, string>
}

/**
 * Refunds an order to the card that paid for it: at most the captured amount minus disputes. The service is not
 * affected. The refund is committed with its reference and idempotency key before the gateway is called, so a retry
 * never refunds twice.
 */
export async function refundOrder(
  deps: RefundDeps,
  orderCode: string,
  actor: Actor,
  wish: RefundRequest = {},
): Promise<RefundOutcome> {
  const request = await transact(deps.db, (trx) => requestRefund(trx, deps, { orderCode, actor, wish }))
  return resolveRequest(deps, request)
}

export const resolveRequest = async (
  deps: RefundDeps,
  request: RequestedRefund | { why: string },
): Promise<RefundOutcome> =>
  'why' in request ? { outcome: 'impossible', why: request.why } : resolveRefund(deps, request.refund)

export async function findRefundableAmount(
  db: Db | Trx,
  { id }: Pick<Order, 'id'>,
): Promise<{ cents: number; refunds: Refund[] }> {
  const attempt = await findLatestAttempt(db, id)
  const refunds = await listOrderRefunds(db, id)
  const capturedCents = attempt?.state === 'captured' && !attempt.capture_failed_at ? attempt.amount_cents : 0
  return { cents: Math.max(0, capturedCents - sumRefundedCents(refunds) - (await sumDisputedCents(db, id))), refunds }
}

export async function scheduleRefund(
  trx: Trx,
  deps: RefundDeps,
  intent: { orderCode: string; actor: Actor; wish: RefundRequest },
): Promise<{ why: string } | null> {
  const request = await requestRefund(trx, deps, intent)
  if ('why' in request) return request
  await deps.jobs.send(trx, refundQueue, request.refund.id)
  return null
}

/** A recorded refund. `givenCents` is the order's total refunded amount, including this refund. */
export type RequestedRefund = { refund: Refund; order: Order; cents: number; givenCents: number }

/**
 * Records a refund in the caller's transaction, or returns why it is impossible. After the commit, the caller sends the
 * refund with `outcomeOf`. If the amount exceeds the staff member's limit, the caller throws, which rolls the refund
 * back.
 */
export async function requestRefund(
  trx: Trx,
  deps: RefundDeps,
  { orderCode, actor, wish }: { orderCode: string; actor: Actor; wish: RefundRequest },
): Promise<RequestedRefund | { why: string }> {
  const order = await findOrderByCode(trx, orderCode)
  if (!order) return { why: 'There is no order with this code.' }
  // Locking the payment serialises its refunds and disputes.
  const latestPayment = await findLatestAttempt(trx, order.id)
  if (latestPayment) await lockAttempt(trx, latestPayment.id)
  const refundDetails = await findRefundEligibility(trx, order)
  if ('why' in refundDetails) return refundDetails
  if (wish.leftCents !== undefined && wish.leftCents !== refundDetails.mostCents)
    return {
      why: `The refundable amount has changed to ${formatPrice(refundDetails.mostCents)}. Refresh to see it.`,
    }
  const amountCents = wish.amountCents ?? refundDetails.mostCents
  const rejectionReason = getAmountRejectionReason(refundDetails, amountCents)
  if (rejectionReason) return { why: rejectionReason }
  const { reference } = refundDetails.attempt
  const newRefund = { orderId: order.id, reference, amountCents, reason: wish.reason ?? null }
  const repeatedRefund = refundDetails.owed ?? refundDetails.refused
  const refund = repeatedRefund
    ? await requestRefundAgain(trx, repeatedRefund, newRefund)
    : await insertRefund(trx, newRefund)
  if (!refund) return { why: 'A refund of this order is already in progress.' }
  await audit(trx, deps.clock, {
    event: 'refund_requested',
    userId: order.user_id,
    actor,
    details: { reference: refund.reference, cents: amountCents, ...wish.noted },
  })
  return { refund, order, cents: amountCents, givenCents: sumRefundedCents(await listOrderRefunds(trx, order.id)) }
}

/**
 * Sends a refund to the gateway and records the response. Idempotent: only the first caller to record a response has
 * any effect.
 */
export async function resolveRefund(deps: RefundDeps, refund: Refund): Promise<RefundOutcome> {
  const [order, attempt] = [
    await findOrder(deps.db, refund.order_id),
    await findLatestAttempt(deps.db, refund.order_id),
  ]
  if (!order || !attempt?.psp_reference) throw new Error(`refund ${refund.reference} is of no payment`)
  const gatewayResult = await deps.card.refund({
    originalReference: attempt.psp_reference,
    reference: refund.reference,
    idempotencyKey: refund.idempotency_key,
    amount: refund.amount_cents,
    currency: attempt.currency,
  })
  deps.log.info({ refund: refund.reference, answer: gatewayResult.outcome }, 'sent a refund to the gateway')
  switch (gatewayResult.outcome) {
    case 'received':
      return {
        outcome: 'received',
        creditCode: await storeReceivedRefund(deps, order, refund, gatewayResult.pspReference),
      }
    case 'refused':
      return recordRefusedRefund(deps, refund, `${gatewayResult.code} ${gatewayResult.message}`.trim())
    case 'unknown':
      return recordUnknownRefund(deps, refund)
  }
}

type ReceivedRefund = { order: Order; refund: Refund; pspReference: string }

const storeReceivedRefund = (deps: RefundDeps, order: Order, refund: Refund, pspReference: string): Promise<string> =>
  transact(
    deps.db,
    async (trx) =>
      (await recordRefundReceived(trx, deps, { order, refund, pspReference })) ??
      (await findCreditNoteCode(trx, refund.id)),
  )

/**
 * Records an accepted refund: writes the state, the credit note and the email in one transaction. Returns `null` if
 * another caller has already done so.
 */
export async function recordRefundReceived(
  trx: Trx,
  deps: RefundDeps,
  { order, refund, pspReference }: ReceivedRefund,
): Promise<string | null> {
  const attempt = await findLatestAttempt(trx, order.id)
  if (attempt) await lockAttempt(trx, attempt.id)
  const receivedRefund = await transitionRefund(trx, refund, 'received', { psp_reference: pspReference })
  if (!receivedRefund) return null
  if (attempt) await recordUnconfirmedRequest(trx, deps, createGatewayRefundRequest(attempt, refund, pspReference))
  await endMatchingTasks(trx, { kind: 'refund', orderId: order.id, subject: refund.id })
  if (sumRefundedCents(await listOrderRefunds(trx, order.id)) === order.amount_cents)
    await endMatchingTasks(trx, { kind: 'payment', orderId: order.id, subject: refundRequiredSubject })
  await audit(trx, deps.clock, {
    event: 'order_refunded',
    userId: order.user_id,
    details: { reference: refund.reference, cents: refund.amount_cents },
  })
  // A returned refund already has a credit note and an email, so neither is created again.
  const creditCode = refund.psp_reference
    ? await findCreditNoteCode(trx, refund.id)
    : await writeAndSendCreditNote(trx, deps, { order, refund })
  const receivedNotifications = await listPaymentNotifications(trx, pspReference)
  if (receivedNotifications.some(({ event_code, success }) => isRefundFailureEvent(event_code, success)))
    await recordReturnedRefund(trx, receivedRefund)
  return creditCode
}

async function writeAndSendCreditNote(
  trx: Trx,
  deps: RefundDeps,
  { order, refund }: { order: Order; refund: Refund },
): Promise<string> {
  const { id: refundId, amount_cents: amountCents } = refund
  const creditCode = await writeCreditNote(trx, deps, { orderId: order.id, refundId, amountCents })
  await sendRefundMail(trx, deps, { order, refund, creditCode })
  return creditCode
}

async function recordRefusedRefund(deps: RefundDeps, refund: Refund, refusal: string): Promise<RefundOutcome> {
  await transact(deps.db, (trx) => recordRefundRejected(trx, refund, refusal))
  return { outcome: 'refused', code: refusal }
}

export async function recordRefundRejected(trx: Trx, refund: Refund, refusal: string): Promise<boolean> {
  if (!(await transitionRefund(trx, refund, 'refused', { refusal }))) return false
  const taskSelector = { kind: 'refund', orderId: refund.order_id, subject: refund.id } as const
  await endMatchingTasks(trx, taskSelector)
  await createTask(trx, { ...taskSelector, reason: `the gateway refused the refund ${refund.reference}: ${refusal}` })
  return true
}

/** After this many minutes of real time without a response, a refund gets an operator task. The retries continue. */
const overdueAfterMinutes = 30

async function recordUnknownRefund(deps: RefundDeps, refund: Refund): Promise<RefundOutcome> {
  const { id, order_id: orderId, reference, created_at: createdAt } = refund
  const isOverdue = realNow().since(fromDate(createdAt)).total('minutes') > overdueAfterMinutes
  await transact(deps.db, async (trx) => {
    const moved = await transitionRefund(trx, refund, 'no_answer', {
      tries: refund.tries + 1,
      retry_at: toDate(realNow().add({ seconds: computeBackOffSeconds(refund.tries + 1, 256) })),
    })
    // If another caller has recorded the gateway's response in the meantime, no operator task is needed.
    if (!moved || !isOverdue) return
    const reason = `the refund ${reference} has no answer after ${overdueAfterMinutes} minutes`
    await createTask(trx, { kind: 'refund', orderId, subject: id, reason })
  })
  return { outcome: 'unknown' }
}

export function retryRefundNow(deps: RefundDeps, order: Pick<Order, 'id' | 'user_id'>, actor: Actor): Promise<boolean> {
  return transact(deps.db, async (trx) => {
    const unresolvedRefund = (await listOrderRefunds(trx, order.id)).find(({ state }) => isRefundOpen(state))
    if (!unresolvedRefund) return false
    await retryNow(trx, refundQueue, { id: unresolvedRefund.id })
    await deps.jobs.send(trx, refundQueue, unresolvedRefund.id)
    await audit(trx, deps.clock, {
      event: 'order_retried',
      userId: order.user_id,
      actor,
      details: { reference: unresolvedRefund.reference },
    })
    return true
  })
}

export async function resumeRefund(deps: RefundDeps, refund: Refund): Promise<void> {
  if (isRefundOpen(refund.state)) await resolveRefund(deps, refund)
}
