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

/** How a refund stands. Of one that is `impossible` nothing was written and nothing sent. */
export type RefundOutcome =
  | { outcome: 'received'; creditCode: string }
  /** The gateway did not answer: it is asked again until it does. */
  | { outcome: 'unknown' }
  /** The gateway's definite no: it is on the operator's list. */
  | { outcome: 'refused'; code: string }
  | { outcome: 'impossible'; why: string }

/** What an operator wants: all that is left where no amount is said. `leftCents` is what was left when they were asked. */
type Wish = {
  amountCents?: number | undefined
  leftCents?: number | undefined
  reason?: string | null | undefined
  /** What the audit trail keeps beside the amount. */
  noted?: Record<string, string>
}

/**
 * Gives money of an order back to the card that paid for it, never more than was captured less what is disputed. The service stays
 * as it is. The intent is committed with its reference and key before the call leaves, so that no repeat gives it back twice.
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

/** Asks the gateway for a committed refund. Of an impossible one nothing was written. */
export const outcomeOf = async (deps: RefundDeps, request: RequestedRefund | { why: string }): Promise<RefundOutcome> =>
  'why' in request ? { outcome: 'impossible', why: request.why } : resolveRefund(deps, request.refund)

/** An order’s money that has not gone back, in cents: captured, and neither given back, nor about to be, nor disputed. */
export async function leftOf(db: Db | Trx, { id }: Pick<Order, 'id'>): Promise<{ cents: number; refunds: Refund[] }> {
  const attempt = await latestAttempt(db, id)
  const refunds = await refundsOf(db, id)
  const captured = attempt?.state === 'captured' && !attempt.capture_failed_at ? attempt.amount_cents : 0
  return { cents: Math.max(0, captured - givenCents(refunds) - (await disputedCents(db, id))), refunds }
}

/** Has money of an order given back by a worker: what `refundOrder` commits, in the caller's transaction. Or says why not. */
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

/** A refund that the gateway has not been asked for. `givenCents`: what has been given back of its order, this refund included. */
export type RequestedRefund = { refund: Refund; order: Order; cents: number; givenCents: number }

/**
 * Writes a refund down, in the caller's transaction, or says why it is impossible. After the commit the caller asks the gateway
 * (`outcomeOf`). A caller that finds that this person may not give that much back throws, which takes the refund back.
 */
export async function requestRefund(
  trx: Trx,
  deps: RefundDeps,
  { orderCode, actor, wish }: { orderCode: string; actor: Actor; wish: Wish },
): Promise<RequestedRefund | { why: string }> {
  const order = await findOrderByCode(trx, orderCode)
  if (!order) return { why: 'There is no such order.' }
  // Refunds and disputes of one payment take turns.
  const paid = await latestAttempt(trx, order.id)
  if (paid) await lockAttempt(trx, paid.id)
  const found = await findRefundable(trx, order)
  if ('why' in found) return found
  if (wish.leftCents !== undefined && wish.leftCents !== found.mostCents)
    return {
      why: `Meanwhile ${formatPrice(found.mostCents)} can be given back of this order. Please look at it again.`,
    }
  const amountCents = wish.amountCents ?? found.mostCents
  const why = whyNotThatMuch(found, amountCents)
  if (why) return { why }
  const { reference } = found.attempt
  const wanted = { orderId: order.id, reference, amountCents, reason: wish.reason ?? null }
  const again = found.owed ?? found.refused
  const refund = again ? await askAgain(trx, again, wanted) : await insertRefund(trx, wanted)
  if (!refund) return { why: 'A refund of this order is already under way.' }
  await audit(trx, deps.clock, {
    event: 'refund_requested',
    userId: order.user_id,
    actor,
    details: { reference: refund.reference, cents: amountCents, ...wish.noted },
  })
  return { refund, order, cents: amountCents, givenCents: givenCents(await refundsOf(trx, order.id)) }
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

type Received = { order: Order; refund: Refund; pspReference: string }

/** Answers the note's code. */
const recordReceived = (deps: RefundDeps, order: Order, refund: Refund, pspReference: string): Promise<string> =>
  transact(
    deps.db,
    async (trx) =>
      (await receiveRefund(trx, deps, { order, refund, pspReference })) ?? (await findCreditCode(trx, refund.id)),
  )

/** The state, the credit note and the mail, all or nothing. Null when another heard it, too, and was first. */
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
  // What was taken for what was taken back has been given back.
  if (givenCents(await refundsOf(trx, order.id)) === order.amount_cents)
    await endTasksAbout(trx, { kind: 'payment', orderId: order.id, subject: takenForNothing })
  await audit(trx, deps.clock, {
    event: 'order_refunded',
    userId: order.user_id,
    details: { reference: refund.reference, cents: refund.amount_cents },
  })
  // One that came back has its note and its mail.
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

/** False when another answer was first. */
export async function refuseRefund(trx: Trx, refund: Refund, refusal: string): Promise<boolean> {
  if (!(await moveRefund(trx, refund, 'refused', { refusal }))) return false
  const about = { kind: 'refund', orderId: refund.order_id, subject: refund.id } as const
  // That it has no answer.
  await endTasksAbout(trx, about)
  await reportToOperator(trx, { ...about, reason: `the gateway refused the refund ${refund.reference}: ${refusal}` })
  return true
}

/** After this long in real time a refund without an answer is shown to the operator; it is asked about all the same. */
const overdueMinutes = 30

async function recordUnknown(deps: RefundDeps, refund: Refund): Promise<RefundOutcome> {
  const { id, order_id: orderId, reference, created_at: createdAt } = refund
  const isOverdue = realNow().since(fromDate(createdAt)).total('minutes') > overdueMinutes
  await transact(deps.db, async (trx) => {
    const moved = await moveRefund(trx, refund, 'no_answer', {
      tries: refund.tries + 1,
      retry_at: toDate(realNow().add({ seconds: backOff(refund.tries + 1, 256) })),
    })
    // Another caller may have heard the answer, which ended what waits for a person.
    if (!moved || !isOverdue) return
    const reason = `the refund ${reference} has no answer after ${overdueMinutes} minutes`
    await reportToOperator(trx, { kind: 'refund', orderId, subject: id, reason })
  })
  return { outcome: 'unknown' }
}

/** Has the gateway asked now about a refund that waits for its answer. False when none does. */
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

/** What the worker does with a refund whose time has come. */
export async function resumeRefund(deps: RefundDeps, refund: Refund): Promise<void> {
  if (isRefundOpen(refund.state)) await resolveRefund(deps, refund)
}
