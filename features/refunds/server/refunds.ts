import type { Actor } from '#kit/server/actor.ts'
import { formatPrice } from '#kit/contract/money.ts'
import { audit } from '#kit/server/audit.ts'
import { fromDate, realNow, toDate } from '#kit/server/clock.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import { backOff, retryNow } from '#kit/server/retries.ts'
import { disputedCents } from '#features/disputes/server/disputes.store.ts'
import { writeCreditNote } from '#features/invoices/server/invoices.ts'
import { findCreditCode } from '#features/invoices/server/invoices.store.ts'
import { endTasksAbout, reportToOperator } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { findOrder, findOrderByCode, type Order } from '#features/orders/server/orders.store.ts'
import { latestAttempt, lockAttempt, takenForNothing, toldOf } from '#features/orders/server/payments.store.ts'
import { expectOutcome, refundOf } from '#features/orders/server/unconfirmed-calls.store.ts'
import { isRefundOpen } from '../refunds.states.ts'
import { sendRefundMail } from './refund.mail.ts'
import type { RefundDeps } from './refunds.deps.ts'
import { hasFailed, recordReturned } from './refund-notifications.ts'
import { findRefundable, whyNotThatMuch } from './refundable.ts'
import {
  askAgain,
  givenCents,
  insertRefund,
  moveRefund,
  type Refund,
  refundRetries,
  refundsOf,
} from './refunds.store.ts'

/** The result of a refund. With `impossible`, nothing was written and nothing was sent. */
export type RefundOutcome =
  | { outcome: 'received'; creditCode: string }
  | { outcome: 'unknown' }
  | { outcome: 'refused'; code: string }
  | { outcome: 'impossible'; why: string }

/**
 * The requested refund; without an amount, everything that is left. `leftCents` is the refundable amount that the
 * operator saw.
 */
type Wish = {
  amountCents?: number | undefined
  leftCents?: number | undefined
  reason?: string | null | undefined
  noted?: Record<string, string>
}

/**
 * Refunds an order to the card that paid for it, at most the captured amount minus disputes. The service is not
 * affected. The intent is committed with its reference and key before the call, so a retry never refunds twice.
 */
export async function refundOrder(
  deps: RefundDeps,
  orderCode: string,
  actor: Actor,
  wish: Wish = {},
): Promise<RefundOutcome> {
  const request = await transact(deps.db, (trx) => requestRefund(trx, deps, { orderCode, actor, wish }))
  return outcomeOf(deps, request)
}

export const outcomeOf = async (deps: RefundDeps, request: RequestedRefund | { why: string }): Promise<RefundOutcome> =>
  'why' in request ? { outcome: 'impossible', why: request.why } : resolveRefund(deps, request.refund)

export async function leftOf(db: Db | Trx, { id }: Pick<Order, 'id'>): Promise<{ cents: number; refunds: Refund[] }> {
  const attempt = await latestAttempt(db, id)
  const refunds = await refundsOf(db, id)
  const captured = attempt?.state === 'captured' && !attempt.capture_failed_at ? attempt.amount_cents : 0
  return { cents: Math.max(0, captured - givenCents(refunds) - (await disputedCents(db, id))), refunds }
}

export async function refundLater(
  trx: Trx,
  deps: RefundDeps,
  intent: { orderCode: string; actor: Actor; wish: Wish },
): Promise<{ why: string } | null> {
  const request = await requestRefund(trx, deps, intent)
  if ('why' in request) return request
  await deps.jobs.send(trx, refundRetries, request.refund.id)
  return null
}

/** `givenCents` is the refunded amount of the order, including this refund. */
export type RequestedRefund = { refund: Refund; order: Order; cents: number; givenCents: number }

/**
 * Records a refund in the caller's transaction, or returns why it is impossible. After the commit, the caller sends the
 * refund with `outcomeOf`. A caller that finds the amount beyond this person's rights throws, which rolls the refund
 * back.
 */
export async function requestRefund(
  trx: Trx,
  deps: RefundDeps,
  { orderCode, actor, wish }: { orderCode: string; actor: Actor; wish: Wish },
): Promise<RequestedRefund | { why: string }> {
  const order = await findOrderByCode(trx, orderCode)
  if (!order) return { why: 'There is no order with this code.' }
  // The lock serialises refunds and disputes of a payment.
  const paid = await latestAttempt(trx, order.id)
  if (paid) await lockAttempt(trx, paid.id)
  const found = await findRefundable(trx, order)
  if ('why' in found) return found
  if (wish.leftCents !== undefined && wish.leftCents !== found.mostCents)
    return {
      why: `The refundable amount has changed to ${formatPrice(found.mostCents)}. Refresh to see it.`,
    }
  const amountCents = wish.amountCents ?? found.mostCents
  const why = whyNotThatMuch(found, amountCents)
  if (why) return { why }
  const { reference } = found.attempt
  const wanted = { orderId: order.id, reference, amountCents, reason: wish.reason ?? null }
  const again = found.owed ?? found.refused
  const refund = again ? await askAgain(trx, again, wanted) : await insertRefund(trx, wanted)
  if (!refund) return { why: 'A refund of this order is already in progress.' }
  await audit(trx, deps.clock, {
    event: 'refund_requested',
    userId: order.user_id,
    actor,
    details: { reference: refund.reference, cents: amountCents, ...wish.noted },
  })
  return { refund, order, cents: amountCents, givenCents: givenCents(await refundsOf(trx, order.id)) }
}

/** Idempotent: only the first caller to record a response has an effect. */
export async function resolveRefund(deps: RefundDeps, refund: Refund): Promise<RefundOutcome> {
  const [order, attempt] = [await findOrder(deps.db, refund.order_id), await latestAttempt(deps.db, refund.order_id)]
  if (!order || !attempt?.psp_reference) throw new Error(`refund ${refund.reference} is of no payment`)
  const answer = await deps.card.refund({
    originalReference: attempt.psp_reference,
    reference: refund.reference,
    idempotencyKey: refund.idempotency_key,
    amount: refund.amount_cents,
    currency: attempt.currency,
  })
  deps.log.info({ refund: refund.reference, answer: answer.outcome }, 'the gateway was asked for a refund')
  switch (answer.outcome) {
    case 'received':
      return { outcome: 'received', creditCode: await recordReceived(deps, order, refund, answer.pspReference) }
    case 'refused':
      return recordRefused(deps, refund, `${answer.code} ${answer.message}`.trim())
    case 'unknown':
      return recordUnknown(deps, refund)
  }
}

type Received = { order: Order; refund: Refund; pspReference: string }

const recordReceived = (deps: RefundDeps, order: Order, refund: Refund, pspReference: string): Promise<string> =>
  transact(
    deps.db,
    async (trx) =>
      (await receiveRefund(trx, deps, { order, refund, pspReference })) ?? (await findCreditCode(trx, refund.id)),
  )

/** Writes the state, the credit note and the email in one transaction. Returns `null` when another caller was first. */
export async function receiveRefund(
  trx: Trx,
  deps: RefundDeps,
  { order, refund, pspReference }: Received,
): Promise<string | null> {
  const attempt = await latestAttempt(trx, order.id)
  if (attempt) await lockAttempt(trx, attempt.id)
  const moved = await moveRefund(trx, refund, 'received', { psp_reference: pspReference })
  if (!moved) return null
  if (attempt) await expectOutcome(trx, deps, refundOf(attempt, refund, pspReference))
  await endTasksAbout(trx, { kind: 'refund', orderId: order.id, subject: refund.id })
  if (givenCents(await refundsOf(trx, order.id)) === order.amount_cents)
    await endTasksAbout(trx, { kind: 'payment', orderId: order.id, subject: takenForNothing })
  await audit(trx, deps.clock, {
    event: 'order_refunded',
    userId: order.user_id,
    details: { reference: refund.reference, cents: refund.amount_cents },
  })
  // A returned refund already has its credit note and its email.
  const creditCode = refund.psp_reference
    ? await findCreditCode(trx, refund.id)
    : await credit(trx, deps, { order, refund })
  const told = await toldOf(trx, pspReference)
  if (told.some(({ event_code, success }) => hasFailed(event_code, success))) await recordReturned(trx, moved)
  return creditCode
}

async function credit(
  trx: Trx,
  deps: RefundDeps,
  { order, refund }: { order: Order; refund: Refund },
): Promise<string> {
  const { id: refundId, amount_cents: amountCents } = refund
  const creditCode = await writeCreditNote(trx, deps, { orderId: order.id, refundId, amountCents })
  await sendRefundMail(trx, deps, { order, refund, creditCode })
  return creditCode
}

async function recordRefused(deps: RefundDeps, refund: Refund, refusal: string): Promise<RefundOutcome> {
  await transact(deps.db, (trx) => refuseRefund(trx, refund, refusal))
  return { outcome: 'refused', code: refusal }
}

export async function refuseRefund(trx: Trx, refund: Refund, refusal: string): Promise<boolean> {
  if (!(await moveRefund(trx, refund, 'refused', { refusal }))) return false
  const about = { kind: 'refund', orderId: refund.order_id, subject: refund.id } as const
  await endTasksAbout(trx, about)
  await reportToOperator(trx, { ...about, reason: `the gateway refused the refund ${refund.reference}: ${refusal}` })
  return true
}

/** After this time, a refund without a response becomes an operator task; the retries go on. Uses the real clock. */
const overdueMinutes = 30

async function recordUnknown(deps: RefundDeps, refund: Refund): Promise<RefundOutcome> {
  const { id, order_id: orderId, reference, created_at: createdAt } = refund
  const isOverdue = realNow().since(fromDate(createdAt)).total('minutes') > overdueMinutes
  await transact(deps.db, async (trx) => {
    const moved = await moveRefund(trx, refund, 'no_answer', {
      tries: refund.tries + 1,
      retry_at: toDate(realNow().add({ seconds: backOff(refund.tries + 1, 256) })),
    })
    // Another caller may have recorded the response, which ended the task.
    if (!moved || !isOverdue) return
    const reason = `the refund ${reference} has no answer after ${overdueMinutes} minutes`
    await reportToOperator(trx, { kind: 'refund', orderId, subject: id, reason })
  })
  return { outcome: 'unknown' }
}

export function retryRefundNow(deps: RefundDeps, order: Pick<Order, 'id' | 'user_id'>, actor: Actor): Promise<boolean> {
  return transact(deps.db, async (trx) => {
    const open = (await refundsOf(trx, order.id)).find(({ state }) => isRefundOpen(state))
    if (!open) return false
    await retryNow(trx, refundRetries, { id: open.id })
    await deps.jobs.send(trx, refundRetries, open.id)
    await audit(trx, deps.clock, {
      event: 'order_retried',
      userId: order.user_id,
      actor,
      details: { reference: open.reference },
    })
    return true
  })
}

export async function resumeRefund(deps: RefundDeps, refund: Refund): Promise<void> {
  if (isRefundOpen(refund.state)) await resolveRefund(deps, refund)
}
