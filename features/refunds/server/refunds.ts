import type { Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { fromDate, realNow, toDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { backOff } from '#kit/server/retries.ts'
import { writeCreditNote } from '#features/invoices/server/invoices.ts'
import { findCreditCode } from '#features/invoices/server/invoices.store.ts'
import { reportToOperator } from '#features/orders/server/operator-tasks.store.ts'
import { findOrder, findOrderByCode, paysByCard, type Order } from '#features/orders/server/orders.store.ts'
import { type Attempt, latestAttempt } from '#features/orders/server/payments.store.ts'
import { isRefundOpen } from '../refunds.states.ts'
import { sendRefundMail } from './refund.mail.ts'
import type { RefundDeps } from './refunds.deps.ts'
import { askAgain, findRefundOf, insertRefund, moveRefund, type Refund } from './refunds.store.ts'

/** How a refund stands. Of one that is `impossible` nothing was written and nothing sent. */
export type RefundOutcome =
  | { outcome: 'received'; creditCode: string }
  /** The gateway did not answer: it is asked again until it does. */
  | { outcome: 'unknown' }
  /** The gateway's definite no: it is on the operator's list. */
  | { outcome: 'refused'; code: string }
  | { outcome: 'impossible'; why: string }

/**
 * Gives all the money of an order back to the card that paid for it. The service stays as it is. The intent is committed
 * with its reference and key before the call leaves, so that no repeat gives it back twice.
 */
export async function refundOrder(deps: RefundDeps, orderCode: string, actor: Actor): Promise<RefundOutcome> {
  const intent = await transact(deps.db, (trx) => intend(trx, deps, { orderCode, actor }))
  return 'why' in intent ? { outcome: 'impossible', why: intent.why } : resolveRefund(deps, intent)
}

async function intend(
  trx: Trx,
  deps: RefundDeps,
  { orderCode, actor }: { orderCode: string; actor: Actor },
): Promise<Refund | { why: string }> {
  const order = await findOrderByCode(trx, orderCode)
  if (!order) return { why: 'There is no such order.' }
  const attempt = await latestAttempt(trx, order.id)
  const why = whyNot(order, attempt)
  if (!attempt || why) return { why: why ?? 'This order was never paid for.' }
  const reference = `${attempt.reference}-refund`
  const before = await findRefundOf(trx, order.id)
  const refund =
    before?.state === 'refused'
      ? await askAgain(trx, before, reference)
      : await insertRefund(trx, { orderId: order.id, reference, amountCents: attempt.amount_cents })
  if (!refund)
    return {
      why:
        before?.state === 'received'
          ? 'This order has been refunded already.'
          : 'A refund of this order is already under way.',
    }
  await audit(trx, deps.clock, {
    event: 'refund_requested',
    userId: order.user_id,
    actor,
    details: { reference: refund.reference },
  })
  return refund
}

function whyNot(order: Order, attempt: Attempt | undefined): string | null {
  if (order.state === 'refused' || order.state === 'undone')
    return 'This order did not go through, and nothing was kept of its payment.'
  if (order.state !== 'completed') return `This order is not over yet: it is ${order.state}.`
  if (!paysByCard(order)) return 'This order was paid with a voucher: there is no money to give back.'
  if (attempt?.state !== 'captured') return 'The money of this order was never taken.'
  return attempt.capture_failed_at
    ? 'The gateway reported that the money of this order could not be taken after all.'
    : null
}

/** Asks the gateway with the refund's own key and writes down what it says, once, no matter which caller heard it first. */
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

/** The state, the credit note and the mail, all or nothing. Answers the note's code. */
function recordReceived(deps: RefundDeps, order: Order, refund: Refund, pspReference: string): Promise<string> {
  return transact(deps.db, async (trx) => {
    const moved = await moveRefund(trx, refund, 'received', { psp_reference: pspReference })
    // Another caller heard it, too, and was first.
    if (!moved) return findCreditCode(trx, refund.id)
    const creditCode = await writeCreditNote(trx, deps, { orderId: order.id, refundId: refund.id })
    await sendRefundMail(trx, deps, { order, refund, creditCode })
    await audit(trx, deps.clock, {
      event: 'order_refunded',
      userId: order.user_id,
      details: { reference: refund.reference },
    })
    return creditCode
  })
}

async function recordRefused(deps: RefundDeps, refund: Refund, refusal: string): Promise<RefundOutcome> {
  await transact(deps.db, async (trx) => {
    if (await moveRefund(trx, refund, 'refused', { refusal }))
      await reportToOperator(trx, refund.order_id, `the gateway refused the refund ${refund.reference}: ${refusal}`)
  })
  return { outcome: 'refused', code: refusal }
}

/** After this long in real time a refund without an answer is shown to the operator; it is asked about all the same. */
const overdueMinutes = 30

async function recordUnknown(deps: RefundDeps, refund: Refund): Promise<RefundOutcome> {
  await moveRefund(deps.db, refund, 'no_answer', {
    tries: refund.tries + 1,
    retry_at: toDate(realNow().add({ seconds: backOff(refund.tries + 1, 256) })),
  })
  if (realNow().since(fromDate(refund.created_at)).total('minutes') > overdueMinutes) {
    await reportToOperator(
      deps.db,
      refund.order_id,
      `the refund ${refund.reference} has no answer after ${overdueMinutes} minutes`,
    )
  }
  return { outcome: 'unknown' }
}

/** What the worker does with a refund whose time has come. */
export async function resumeRefund(deps: RefundDeps, refund: Refund): Promise<void> {
  if (isRefundOpen(refund.state)) await resolveRefund(deps, refund)
}
