import { fromDate, realNow, toDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import type { AuthoriseOutcome, CardDetails } from '#providers/card/card.port.ts'
import { claimAccount } from '#features/auth/server/auth.ts'
import { saveCard } from '#features/payment-method/server/payment-method.ts'
import { recordRefusedPayment, takePaymentBack } from '#features/refused-payments/server/refused-payments.ts'
import { isPaymentOpen } from '../orders.states.ts'
import { advanceOrderJob } from './orders.queue.ts'
import { isAttemptOpen } from '../payment-attempts.states.ts'
import type { OrderDeps } from './orders.deps.ts'
import { reportToOperator } from './operator-tasks.store.ts'
import { findOrder, moveOrder, type Order, retryOrderIn } from './orders.store.ts'
import { type Attempt, latestAttempt, lockAttempt, moveAttempt, notifiedOutcome } from './payments.store.ts'
import { giveBack } from './give-back.ts'

/**
 * Asks the gateway about the order's attempt and writes down what it says. Called by the request that pays,
 * by `resume` and by the worker: each asks with the attempt's own key, so that asking again never charges again.
 */
export async function authorise(deps: OrderDeps, order: Order): Promise<void> {
  const attempt = await latestAttempt(deps.db, order.id)
  if (!attempt || !isAttemptOpen(attempt.state)) return
  const card = cardOf(deps, attempt)
  if (!card) return cancelUnknown(deps, order, attempt)
  const outcome = await deps.card.authorise({
    reference: attempt.reference,
    idempotencyKey: attempt.idempotency_key,
    amount: attempt.amount_cents,
    currency: attempt.currency,
    shopperReference: attempt.shopper_reference,
    shopperEmail: order.email,
    card,
    store: attempt.store,
  })
  await recordOutcome(deps, attempt.id, outcome)
}

/** The worker's way out of "sent, no answer": the same key again, and past the time limit a cancel by our own reference. */
export async function resolvePayment(deps: OrderDeps, order: Order): Promise<void> {
  const attempt = await latestAttempt(deps.db, order.id)
  if (!attempt) return
  if (attempt.resolve_by <= toDate(realNow())) return cancelUnknown(deps, order, attempt)
  await authorise(deps, order)
}

/** Commits the gateway's word on an attempt, once, no matter which caller heard it first. */
export async function recordOutcome(deps: OrderDeps, attemptId: string, outcome: AuthoriseOutcome): Promise<void> {
  await transact(deps.db, (trx) => recordOutcomeIn(trx, deps, attemptId, outcome))
}

/** The same inside a transaction; false when the outcome was written down before. */
export async function recordOutcomeIn(
  trx: Trx,
  deps: OrderDeps,
  attemptId: string,
  outcome: AuthoriseOutcome,
): Promise<boolean> {
  const attempt = await lockAttempt(trx, attemptId)
  const order = await findOrder(trx, attempt.order_id)
  if (!order || !isPaymentOpen(order.state)) return false
  switch (outcome.outcome) {
    case 'authorised':
      return recordAuthorised(deps, trx, order, attempt, outcome)
    case 'refused':
      return recordRefused(
        trx,
        deps,
        order,
        attempt,
        { refusal: outcome.reason, psp_reference: outcome.pspReference },
        'card_refused',
      )
    case 'invalid':
      return recordRefused(
        trx,
        deps,
        order,
        attempt,
        { refusal: `invalid ${outcome.code}`, psp_reference: null },
        'card_unreadable',
      )
    case 'pending':
      return recordPending(deps, trx, order, attempt, outcome.pspReference)
    case 'unknown':
      return recordUnknown(trx, order, attempt, attempt.psp_reference)
  }
}

async function recordPending(
  deps: OrderDeps,
  trx: Trx,
  order: Order,
  attempt: Attempt,
  pspReference: string,
): Promise<boolean> {
  const notified = await notifiedOutcome(trx, pspReference)
  if (notified === true)
    return recordAuthorised(deps, trx, order, attempt, { outcome: 'authorised', pspReference, card: noDetails })
  if (notified === false)
    return recordRefused(
      trx,
      deps,
      order,
      attempt,
      { refusal: 'by notification', psp_reference: pspReference },
      'card_refused',
    )
  return recordUnknown(trx, order, attempt, pspReference)
}

/** A notification does not say which card it was. */
export const noDetails: CardDetails = { type: null, lastFour: null, expiry: null, holderName: null, storedId: null }

async function recordAuthorised(
  deps: OrderDeps,
  trx: Trx,
  order: Order,
  attempt: Attempt,
  outcome: AuthoriseOutcome & { outcome: 'authorised' },
): Promise<boolean> {
  const { card, pspReference } = outcome
  const first = await moveAttempt(trx, attempt, 'authorised', {
    psp_reference: pspReference,
    card: card && JSON.stringify(card),
  })
  if (!first) return false
  await takePaymentBack(trx, attempt.reference)
  await acceptOrder(deps, trx, order)
  return true
}

/** The order is paid for, or reserved to be: the account is made and the worker takes over. */
export async function acceptOrder(deps: OrderDeps, trx: Trx, order: Order): Promise<Order> {
  const account = await claimAccount(trx, deps.clock, order)
  // A customer's account may have become part of another since the order was read.
  const moved = await moveOrder(trx, order, 'authorised', order.user_id ? {} : { user_id: account.userId })
  if (!moved) throw new Error(`order ${order.order_code} moved while its payment was written down`)
  const attempt = await latestAttempt(trx, order.id)
  if (attempt?.card && attempt.store && moved.user_id) {
    await saveCard(
      trx,
      moved.user_id,
      { ...attempt.card, shopperReference: attempt.shopper_reference },
      fromDate(order.created_at),
    )
  }
  await deps.jobs.send(trx, advanceOrderJob, { orderId: order.id })
  return moved
}

async function recordRefused(
  trx: Trx,
  deps: OrderDeps,
  order: Order,
  attempt: Attempt,
  patch: { refusal: string; psp_reference: string | null },
  failure: string,
): Promise<boolean> {
  if (!(await moveAttempt(trx, attempt, 'refused', patch))) return false
  await moveOrder(trx, order, 'refused', { failure_code: failure })
  await giveBack(trx, deps, order)
  await recordRefusedPayment(trx, deps, {
    reference: attempt.reference,
    kind: order.kind,
    userId: order.user_id,
    sessionId: order.session_id,
  })
  return true
}

async function recordUnknown(trx: Trx, order: Order, attempt: Attempt, pspReference: string | null): Promise<boolean> {
  await moveAttempt(trx, attempt, 'no_answer', { psp_reference: pspReference })
  const unknown = order.state === 'paying' ? await moveOrder(trx, order, 'no_answer') : order
  if (unknown) await retryOrderIn(trx, unknown, unknown.tries < 3 ? 3 : 10)
  return true
}

async function cancelUnknown(deps: OrderDeps, order: Order, attempt: Attempt): Promise<void> {
  const answer = await deps.card.technicalCancel({
    originalReference: attempt.reference,
    reference: `${attempt.reference}-cancel`,
    idempotencyKey: `${attempt.idempotency_key}-tc`,
  })
  if (answer.outcome === 'unknown') return retryOrderIn(deps.db, order, 10)
  if (answer.outcome === 'refused')
    await reportToOperator(deps.db, order.id, `payment ${attempt.reference} could not be cancelled: ${answer.code}`)
  await transact(deps.db, async (trx) => {
    await lockAttempt(trx, attempt.id)
    const now = await findOrder(trx, order.id)
    if (!now || !isPaymentOpen(now.state)) return
    await recordCancelled(trx, deps, now, attempt)
  })
}

async function recordCancelled(trx: Trx, deps: OrderDeps, order: Order, attempt: Attempt): Promise<void> {
  if (!(await moveAttempt(trx, attempt, 'given_up', { cancelled_at: toDate(realNow()) }))) return
  await moveOrder(trx, order, 'refused', { failure_code: 'payment_not_confirmed' })
  await giveBack(trx, deps, order)
  await takePaymentBack(trx, attempt.reference)
}

function cardOf(deps: OrderDeps, attempt: Attempt): { encrypted: string } | { storedId: string } | null {
  if (attempt.stored_card_id) return { storedId: attempt.stored_card_id }
  return attempt.sealed_card ? { encrypted: deps.secrets.open(attempt.sealed_card) } : null
}
