import { fromDate, realNow, toDate } from '#kit/server/clock.ts'
import { isTakenType } from '#kit/contract/card-types.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import type { AuthoriseOutcome, CardDetails } from '#providers/card/card.port.ts'
import { accountForOrder } from '#features/auth/server/auth.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import {
  forgetCard,
  keepCard,
  reportMissingDetails,
  reportUnknownNetwork,
} from '#features/payment-method/server/payment-method.ts'
import { recordRefusedPayment, uncountCardAttempt } from '#features/refused-payments/server/refused-payments.ts'
import { isPaymentOpen } from '../orders.states.ts'
import { isAttemptOpen, isReserved } from '../payment-attempts.states.ts'
import type { OrderDeps } from './orders.deps.ts'
import { reportFailedCancel } from './modification-outcomes.ts'
import { findOrder, moveOrder, type Order, retryOrderIn, orderRetries } from './orders.store.ts'
import { cardToCharge } from './payment-source.ts'
import {
  type Attempt,
  beginGivingUp,
  faultOfOurs,
  isBeingGivenUp,
  latestAttempt,
  lockAttempt,
  moveAttempt,
  notifiedOutcome,
} from './payments.store.ts'
import { giveBack } from './give-back.ts'
import { resolveBy } from './new-attempts.store.ts'
import { cancelOf, expectOutcome, technicalCancelOf } from './unconfirmed-calls.store.ts'

/**
 * Asks the gateway about the order's attempt while it is open, and writes down what it says: with the attempt's own key, so that asking
 * again never charges again; past its time limit by a cancel by our own reference. What was reserved on a card that is not taken is
 * cancelled. Called by the request that pays, by `resume` and by the worker. Answers the order as it is then.
 * `isFirst`: nobody has asked before.
 */
export async function resolvePayment(deps: OrderDeps, order: Order, { isFirst = false } = {}): Promise<Order> {
  const asked = await askGateway(deps, order, isFirst)
  const attempt = isPaymentOpen(asked.state) ? await latestAttempt(deps.db, order.id) : undefined
  return attempt?.state === 'cancelling' ? cancelReserved(deps, asked, attempt) : asked
}

async function askGateway(deps: OrderDeps, order: Order, isFirst: boolean): Promise<Order> {
  const attempt = await latestAttempt(deps.db, order.id)
  // Another call has heard the outcome.
  if (!attempt || !isAttemptOpen(attempt.state)) return (await findOrder(deps.db, order.id)) ?? order
  const card = cardToCharge(deps, order, attempt)
  if (!card || isBeingGivenUp(attempt) || attempt.resolve_by <= toDate(realNow()))
    return cancelUnknown(deps, order, attempt)
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
  const certain = isFirst && attempt.state === 'initiated' ? ofOneTry(outcome) : outcome
  return transact(deps.db, (trx) => recordOutcome(trx, deps, attempt, certain))
}

/** What one try came to when there was no other: who was not let in has done nothing. */
const ofOneTry = (outcome: AuthoriseOutcome): AuthoriseOutcome =>
  outcome.outcome === 'unknown' && outcome.lockedOut ? { outcome: 'fault', ...outcome.lockedOut } : outcome

/** An order and its attempt; the attempt is locked until the transaction ends. */
type LockedPayment = { order: Order; attempt: Attempt }
type AttemptKey = Pick<Attempt, 'id' | 'order_id'>

async function lockPayment(trx: Trx, { id, order_id: orderId }: AttemptKey): Promise<LockedPayment> {
  // The order is read after its payment is locked, so that it is as current as the payment.
  const attempt = await lockAttempt(trx, id)
  const order = await findOrder(trx, orderId)
  if (!order) throw new Error(`payment ${attempt.reference} is of no order`)
  return { order, attempt }
}

/** Writes down the gateway's word on an attempt, once, no matter which caller heard it first. Answers the order as it is then. */
export async function recordOutcome(
  trx: Trx,
  deps: OrderDeps,
  asked: AttemptKey,
  outcome: AuthoriseOutcome,
): Promise<Order> {
  const locked = await lockPayment(trx, asked)
  if (!isPaymentOpen(locked.order.state)) return locked.order
  // Its cancel is on the way: what is good now will not be.
  if (isBeingGivenUp(locked.attempt) && outcome.outcome !== 'refused') return locked.order
  switch (outcome.outcome) {
    case 'authorised':
      return recordAuthorised(trx, deps, locked, outcome)
    case 'refused': {
      const { reason: refusal, pspReference } = outcome
      return recordRefused(trx, deps, locked, { failure: 'card_refused', refusal, pspReference })
    }
    case 'invalid': {
      const refusal = `invalid ${outcome.code}`
      return recordRefused(trx, deps, locked, { failure: 'card_unreadable', refusal, pspReference: null })
    }
    case 'fault':
      return recordFault(trx, deps, locked, outcome)
    case 'pending':
      return recordPending(trx, deps, locked, outcome)
    case 'unknown':
      return recordUnknown(trx, locked, { psp_reference: locked.attempt.psp_reference })
  }
}

async function recordPending(
  trx: Trx,
  deps: OrderDeps,
  locked: LockedPayment,
  { pspReference, card }: AuthoriseOutcome & { outcome: 'pending' },
): Promise<Order> {
  const notified = await notifiedOutcome(trx, pspReference)
  const known = completed(card, locked.attempt.card)
  if (notified === true) {
    // An answer of before the decision cannot have all that the gateway's account returns after it.
    const told = { ...locked, attempt: { ...locked.attempt, card: known } }
    return recordAuthorised(trx, deps, told, { outcome: 'authorised', pspReference, card: noDetails })
  }
  if (notified === false)
    return recordRefused(trx, deps, locked, { failure: 'card_refused', refusal: 'by notification', pspReference })
  return recordUnknown(trx, locked, {
    psp_reference: pspReference,
    card: JSON.stringify(known),
  })
}

/** Which card it was is not said, or has been noted already. */
export const noDetails: CardDetails = { type: null, lastFour: null, expiry: null, holderName: null, storedId: null }

async function recordAuthorised(
  trx: Trx,
  deps: OrderDeps,
  { order, attempt }: LockedPayment,
  { card, pspReference }: AuthoriseOutcome & { outcome: 'authorised' },
): Promise<Order> {
  // Which card it is may have been told while it was pending.
  const known = completed(card, attempt.card)
  const patch = { psp_reference: pspReference, ...(known !== noDetails && { card: JSON.stringify(known) }) }
  if (!isTakenType(deps.cardTypes, known.type)) {
    await moveAttempt(trx, attempt, 'cancel_begun', patch)
    await retryOrderIn(trx, order, 3)
    return order
  }
  if (!(await moveAttempt(trx, attempt, 'authorised', patch))) return order
  await uncountCardAttempt(trx, attempt.reference)
  await reportUnknownNetwork(trx, known)
  if (card !== noDetails) await reportMissingDetails(trx, card, attempt)
  const accepted = await acceptOrder(trx, deps, order)
  if (attempt.store && accepted.user_id) {
    await keepCard(trx, deps, accepted.user_id, {
      card: { ...known, shopperReference: attempt.shopper_reference },
      at: fromDate(order.created_at),
      event: attempt.reference,
      isTold: (await findUser(trx, accepted.user_id))?.made_by_order !== order.id,
    })
  }
  return accepted
}

/** All that is known of a card: what has just been told of it, and where that leaves something open what was known before. */
export const completed = (told: CardDetails, known: CardDetails | null): CardDetails =>
  known
    ? {
        type: told.type ?? known.type,
        lastFour: told.lastFour ?? known.lastFour,
        expiry: told.expiry ?? known.expiry,
        holderName: told.holderName ?? known.holderName,
        storedId: told.storedId ?? known.storedId,
        ...((told.network ?? known.network) && { network: told.network ?? known.network }),
      }
    : told

/** The order is paid for, or reserved to be: the account is made and the worker takes over. */
export async function acceptOrder(trx: Trx, deps: OrderDeps, order: Order): Promise<Order> {
  const account = await accountForOrder(trx, deps.clock, order)
  // A customer's account may have become part of another since the order was read.
  const moved = await moveOrder(trx, order, 'authorised', order.user_id ? {} : { user_id: account.userId })
  if (!moved) throw new Error(`order ${order.order_code} moved while its payment was written down`)
  await deps.jobs.send(trx, orderRetries, order.id)
  return moved
}

async function recordRefused(
  trx: Trx,
  deps: OrderDeps,
  { order, attempt }: LockedPayment,
  { failure, refusal, pspReference }: { failure: string; refusal: string; pspReference: string | null },
): Promise<Order> {
  if (!(await moveAttempt(trx, attempt, 'refused', { refusal, psp_reference: pspReference }))) return order
  const refused = await moveOrder(trx, order, 'refused', { failure_code: failure })
  await giveBack(trx, deps, order)
  await recordRefusedPayment(trx, deps, refusedOf({ order, attempt }))
  return refused ?? order
}

/** Nothing was learnt of the card, and nothing counts against its customer: they may try again as if this had not been. */
async function recordFault(
  trx: Trx,
  deps: OrderDeps,
  { order, attempt }: LockedPayment,
  { code, message }: AuthoriseOutcome & { outcome: 'fault' },
): Promise<Order> {
  const refusal = `fault ${code} ${message}`.slice(0, longestRefusal)
  if (!(await moveAttempt(trx, attempt, 'refused', { refusal, psp_reference: null }))) return order
  const refused = await moveOrder(trx, order, 'refused', { failure_code: faultOfOurs })
  await giveBack(trx, deps, order)
  await uncountCardAttempt(trx, attempt.reference)
  return refused ?? order
}

const longestRefusal = 200

async function recordUnknown(
  trx: Trx,
  { order, attempt }: LockedPayment,
  patch: Parameters<typeof moveAttempt>[3],
): Promise<Order> {
  // One that was not asked about before has as long as any other from now on.
  const by = resolveBy()
  await moveAttempt(trx, attempt, 'no_answer', { ...patch, ...(by < attempt.resolve_by && { resolve_by: by }) })
  const unknown = order.state === 'paying' ? await moveOrder(trx, order, 'no_answer') : order
  if (unknown) await retryOrderIn(trx, unknown, unknown.tries < 3 ? 3 : 10)
  return unknown ?? order
}

/**
 * That it is given up is written down before the cancel leaves: a process that stood still in between, and has not seen that another one
 * has got a good answer meanwhile, cancels nothing.
 */
async function cancelUnknown(deps: OrderDeps, order: Order, attempt: Attempt): Promise<Order> {
  if (!(await beginGivingUp(deps.db, attempt))) return (await findOrder(deps.db, order.id)) ?? order
  const answer = await deps.card.technicalCancel({
    originalReference: attempt.reference,
    reference: `${attempt.reference}-cancel`,
    idempotencyKey: `${attempt.idempotency_key}-tc`,
  })
  if (answer.outcome === 'unknown') {
    await retryOrderIn(deps.db, order, 10)
    return order
  }
  return transact(deps.db, async (trx) => {
    const locked = await lockPayment(trx, attempt)
    if (answer.outcome === 'refused') await reportFailedCancel(trx, locked.attempt, notCancelled(attempt, answer.code))
    if (answer.outcome === 'received' && isAttemptOpen(locked.attempt.state))
      await expectOutcome(trx, deps, technicalCancelOf(attempt, answer.pspReference))
    return recordCancelled(trx, deps, locked)
  })
}

const notCancelled = ({ reference }: Attempt, code: string): string =>
  `payment ${reference} could not be cancelled: ${code}`

/** Gives back what was reserved on a card that is not taken; nobody is told that it was not before that is done. */
async function cancelReserved(deps: OrderDeps, order: Order, attempt: Attempt): Promise<Order> {
  const answer = await deps.card.cancel({
    originalReference: attempt.psp_reference ?? '',
    reference: `${attempt.reference}-cancel`,
    idempotencyKey: `${attempt.idempotency_key}-x`,
  })
  if (answer.outcome === 'unknown') {
    await retryOrderIn(deps.db, order, 10)
    return order
  }
  return transact(deps.db, async (trx) => {
    const locked = await lockPayment(trx, attempt)
    if (answer.outcome === 'refused') await reportFailedCancel(trx, locked.attempt, notCancelled(attempt, answer.code))
    if (answer.outcome === 'received' && isReserved(locked.attempt.state))
      await expectOutcome(trx, deps, cancelOf(attempt, answer.pspReference))
    return recordNotTaken(trx, deps, locked)
  })
}

async function recordNotTaken(trx: Trx, deps: OrderDeps, { order, attempt }: LockedPayment): Promise<Order> {
  if (!(await moveAttempt(trx, attempt, 'cancelled', { cancelled_at: toDate(realNow()) }))) return order
  const refused = await moveOrder(trx, order, 'refused', { failure_code: cardTypeNotTaken })
  await giveBack(trx, deps, order)
  await forgetStored(trx, deps, attempt)
  // It counts as a refusal: otherwise it would be told for nothing which cards of these types are good ones.
  await recordRefusedPayment(trx, deps, refusedOf({ order, attempt }))
  return refused ?? order
}

/** What was to be stored with a payment is of no use without it. */
async function forgetStored(trx: Trx, deps: OrderDeps, { store, card, shopper_reference }: Attempt): Promise<void> {
  if (store && card?.storedId)
    await forgetCard(trx, deps, { storedId: card.storedId, shopperReference: shopper_reference })
}

/** Why an order is refused whose card is of a type that is not taken. */
export const cardTypeNotTaken = 'card_type'

const refusedOf = ({ order, attempt }: LockedPayment) => ({
  reference: attempt.reference,
  kind: order.kind,
  userId: order.user_id,
  sessionId: order.session_id,
})

async function recordCancelled(trx: Trx, deps: OrderDeps, { order, attempt }: LockedPayment): Promise<Order> {
  if (!isPaymentOpen(order.state)) return order
  if (!(await moveAttempt(trx, attempt, 'given_up', { cancelled_at: toDate(realNow()) }))) return order
  const refused = await moveOrder(trx, order, 'refused', { failure_code: 'payment_not_confirmed' })
  await giveBack(trx, deps, order)
  await forgetStored(trx, deps, attempt)
  await uncountCardAttempt(trx, attempt.reference)
  return refused ?? order
}
