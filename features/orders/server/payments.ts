import { fromDate, realNow, toDate } from '#kit/server/clock.ts'
import { isAcceptedCardType } from '#kit/contract/card-types.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import type { AuthorisationOutcome, CardDetails } from '#providers/card/card.port.ts'
import { findOrCreateOrderAccount } from '#features/auth/server/auth.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import {
  scheduleCardRemoval,
  saveAndNotifyCard,
  reportMissingDetails,
  reportUnknownCardNetwork,
} from '#features/payment-method/server/payment-method.ts'
import { recordRefusedPayment, undoCardAttemptCount } from '#features/refused-payments/server/refused-payments.ts'
import { isPaymentOpen } from '../orders.states.ts'
import { isAttemptOpen, isMoneyReserved } from '../payment-attempts.states.ts'
import type { OrderDeps } from './orders.deps.ts'
import { reportFailedCancel } from './modification-outcomes.ts'
import { findOrder, transitionOrder, type Order, scheduleOrderRetry, orderQueue } from './orders.store.ts'
import { toGatewayCard } from './payment-source.ts'
import {
  type Attempt,
  beginTechnicalCancel,
  internalFaultCode,
  isTechnicalCancelBegun,
  findLatestAttempt,
  lockAttempt,
  transitionAttempt,
  findNotifiedOutcome,
} from './payments.store.ts'
import { releaseReservations } from './release-reservations.ts'
import { computeResolveDeadline } from './payment-attempts.store.ts'
import {
  createCancelRequest,
  recordUnconfirmedRequest,
  createTechnicalCancelRequest,
} from './unconfirmed-requests.store.ts'

/**
 * Resolves the order's open payment attempt at the gateway, records the outcome and returns the current order. Repeated
 * requests use the attempt's idempotency key, so they never charge twice. After the deadline, the attempt is cancelled by
 * our reference. Money reserved on a card type that we do not accept is released. `isFirst` means that no request for
 * this attempt has been sent before.
 */
export async function resolvePayment(deps: OrderDeps, order: Order, { isFirst = false } = {}): Promise<Order> {
  const resolvedOrder = await requestPaymentOutcome(deps, order, isFirst)
  const attempt = isPaymentOpen(resolvedOrder.state) ? await findLatestAttempt(deps.db, order.id) : undefined
  return attempt?.state === 'cancelling' ? cancelReservedPayment(deps, resolvedOrder, attempt) : resolvedOrder
}

async function requestPaymentOutcome(deps: OrderDeps, order: Order, isFirst: boolean): Promise<Order> {
  const attempt = await findLatestAttempt(deps.db, order.id)
  // Another request has recorded the outcome in the meantime, so return the current order.
  if (!attempt || !isAttemptOpen(attempt.state)) return (await findOrder(deps.db, order.id)) ?? order
  const card = toGatewayCard(deps, order, attempt)
  if (!card || isTechnicalCancelBegun(attempt) || attempt.resolve_by <= toDate(realNow()))
    return cancelUnresolvedPayment(deps, order, attempt)
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
  const firstAttemptOutcome = isFirst && attempt.state === 'initiated' ? interpretFirstOutcome(outcome) : outcome
  return transact(deps.db, (trx) => recordOutcome(trx, deps, attempt, firstAttemptOutcome))
}

/** Treats rejected API credentials as a fault on our side. On a first attempt, the rejection means that nothing was charged. */
const interpretFirstOutcome = (outcome: AuthorisationOutcome): AuthorisationOutcome =>
  outcome.outcome === 'unknown' && outcome.lockedOut ? { outcome: 'fault', ...outcome.lockedOut } : outcome

type LockedPayment = { order: Order; attempt: Attempt }
type AttemptKey = Pick<Attempt, 'id' | 'order_id'>

async function lockPayment(trx: Trx, { id, order_id: orderId }: AttemptKey): Promise<LockedPayment> {
  // Lock the payment before reading the order, so that both are equally up to date.
  const attempt = await lockAttempt(trx, id)
  const order = await findOrder(trx, orderId)
  if (!order) throw new Error(`payment ${attempt.reference} has no order`)
  return { order, attempt }
}

/** Records an attempt's outcome once, whichever caller receives it first, and returns the current order. */
export async function recordOutcome(
  trx: Trx,
  deps: OrderDeps,
  attemptKey: AttemptKey,
  outcome: AuthorisationOutcome,
): Promise<Order> {
  const lockedPayment = await lockPayment(trx, attemptKey)
  if (!isPaymentOpen(lockedPayment.order.state)) return lockedPayment.order
  // A cancellation is in flight, so an authorisation that arrives now will be cancelled.
  if (isTechnicalCancelBegun(lockedPayment.attempt) && outcome.outcome !== 'refused') return lockedPayment.order
  switch (outcome.outcome) {
    case 'authorised':
      return recordPaymentAuthorised(trx, deps, lockedPayment, outcome)
    case 'refused': {
      const { reason: refusal, pspReference } = outcome
      return recordPaymentRefused(trx, deps, lockedPayment, { failure: 'card_refused', refusal, pspReference })
    }
    case 'invalid': {
      const refusal = `invalid ${outcome.code}`
      return recordPaymentRefused(trx, deps, lockedPayment, { failure: 'card_unreadable', refusal, pspReference: null })
    }
    case 'fault':
      return recordGatewayFault(trx, deps, lockedPayment, outcome)
    case 'pending':
      return recordPendingPayment(trx, deps, lockedPayment, outcome)
    case 'unknown':
      return recordUnknownOutcome(trx, lockedPayment, { psp_reference: lockedPayment.attempt.psp_reference })
  }
}

async function recordPendingPayment(
  trx: Trx,
  deps: OrderDeps,
  locked: LockedPayment,
  { pspReference, card }: AuthorisationOutcome & { outcome: 'pending' },
): Promise<Order> {
  const notifiedOutcome = await findNotifiedOutcome(trx, pspReference)
  const mergedCard = mergeCardDetails(card, locked.attempt.card)
  if (notifiedOutcome === true) {
    // This response was sent before the bank decided, so it lacks the card details that the gateway adds later.
    const completedPayment = { ...locked, attempt: { ...locked.attempt, card: mergedCard } }
    return recordPaymentAuthorised(trx, deps, completedPayment, {
      outcome: 'authorised',
      pspReference,
      card: emptyCardDetails,
    })
  }
  if (notifiedOutcome === false)
    return recordPaymentRefused(trx, deps, locked, {
      failure: 'card_refused',
      refusal: 'by notification',
      pspReference,
    })
  return recordUnknownOutcome(trx, locked, {
    psp_reference: pspReference,
    card: JSON.stringify(mergedCard),
  })
}

export const emptyCardDetails: CardDetails = {
  type: null,
  lastFour: null,
  expiry: null,
  holderName: null,
  storedId: null,
}

async function recordPaymentAuthorised(
  trx: Trx,
  deps: OrderDeps,
  { order, attempt }: LockedPayment,
  { card, pspReference }: AuthorisationOutcome & { outcome: 'authorised' },
): Promise<Order> {
  // An earlier response, sent before the bank decided, may already have contained card details.
  const mergedCard = mergeCardDetails(card, attempt.card)
  const patch = {
    psp_reference: pspReference,
    ...(mergedCard !== emptyCardDetails && { card: JSON.stringify(mergedCard) }),
  }
  if (!isAcceptedCardType(deps.cardTypes, mergedCard.type)) {
    await transitionAttempt(trx, attempt, 'cancel_begun', patch)
    await scheduleOrderRetry(trx, order, 3)
    return order
  }
  if (!(await transitionAttempt(trx, attempt, 'authorised', patch))) return order
  await undoCardAttemptCount(trx, attempt.reference)
  await reportUnknownCardNetwork(trx, mergedCard)
  if (card !== emptyCardDetails) await reportMissingDetails(trx, card, attempt)
  const acceptedOrder = await acceptOrder(trx, deps, order)
  if (attempt.store && acceptedOrder.user_id) {
    await saveAndNotifyCard(trx, deps, acceptedOrder.user_id, {
      card: { ...mergedCard, shopperReference: attempt.shopper_reference },
      at: fromDate(order.created_at),
      event: attempt.reference,
      notifyCustomer: (await findUser(trx, acceptedOrder.user_id))?.made_by_order !== order.id,
    })
  }
  return acceptedOrder
}

export const mergeCardDetails = (newDetails: CardDetails, known: CardDetails | null): CardDetails =>
  known
    ? {
        type: newDetails.type ?? known.type,
        lastFour: newDetails.lastFour ?? known.lastFour,
        expiry: newDetails.expiry ?? known.expiry,
        holderName: newDetails.holderName ?? known.holderName,
        storedId: newDetails.storedId ?? known.storedId,
        ...((newDetails.network ?? known.network) && { network: newDetails.network ?? known.network }),
      }
    : newDetails

export async function acceptOrder(trx: Trx, deps: OrderDeps, order: Order): Promise<Order> {
  const account = await findOrCreateOrderAccount(trx, deps.clock, order)
  // Do not overwrite an existing user id: the customer's account may have been merged since the order was read.
  const updatedOrder = await transitionOrder(trx, order, 'authorised', order.user_id ? {} : { user_id: account.userId })
  if (!updatedOrder) throw new Error(`order ${order.order_code} changed its state while its payment was recorded`)
  await deps.jobs.send(trx, orderQueue, order.id)
  return updatedOrder
}

async function recordPaymentRefused(
  trx: Trx,
  deps: OrderDeps,
  { order, attempt }: LockedPayment,
  { failure, refusal, pspReference }: { failure: string; refusal: string; pspReference: string | null },
): Promise<Order> {
  if (!(await transitionAttempt(trx, attempt, 'refused', { refusal, psp_reference: pspReference }))) return order
  const refusedOrder = await transitionOrder(trx, order, 'refused', { failure_code: failure })
  await releaseReservations(trx, deps, order)
  await recordRefusedPayment(trx, deps, toRefusedPayment({ order, attempt }))
  return refusedOrder ?? order
}

/**
 * Refuses an order after a fault on our side. The fault says nothing about the card, so no limit counts this attempt and
 * the customer can try again.
 */
async function recordGatewayFault(
  trx: Trx,
  deps: OrderDeps,
  { order, attempt }: LockedPayment,
  { code, message }: AuthorisationOutcome & { outcome: 'fault' },
): Promise<Order> {
  const refusal = `fault ${code} ${message}`.slice(0, maxRefusalLength)
  if (!(await transitionAttempt(trx, attempt, 'refused', { refusal, psp_reference: null }))) return order
  const refusedOrder = await transitionOrder(trx, order, 'refused', { failure_code: internalFaultCode })
  await releaseReservations(trx, deps, order)
  await undoCardAttemptCount(trx, attempt.reference)
  return refusedOrder ?? order
}

const maxRefusalLength = 200

async function recordUnknownOutcome(
  trx: Trx,
  { order, attempt }: LockedPayment,
  patch: Parameters<typeof transitionAttempt>[3],
): Promise<Order> {
  // Automatic renewals start with a later deadline. From now on, the usual deadline applies to them as well.
  const standardDeadline = computeResolveDeadline()
  await transitionAttempt(trx, attempt, 'no_answer', {
    ...patch,
    ...(standardDeadline < attempt.resolve_by && { resolve_by: standardDeadline }),
  })
  const unknownOrder = order.state === 'paying' ? await transitionOrder(trx, order, 'no_answer') : order
  if (unknownOrder) await scheduleOrderRetry(trx, unknownOrder, unknownOrder.tries < 3 ? 3 : 10)
  return unknownOrder ?? order
}

/**
 * Cancels a payment that has no outcome. The attempt is marked before the cancel is sent, so that a process that was
 * suspended cannot cancel a payment that another process has since found to be authorised.
 */
async function cancelUnresolvedPayment(deps: OrderDeps, order: Order, attempt: Attempt): Promise<Order> {
  if (!(await beginTechnicalCancel(deps.db, attempt))) return (await findOrder(deps.db, order.id)) ?? order
  const cancelResult = await deps.card.technicalCancel({
    originalReference: attempt.reference,
    reference: `${attempt.reference}-cancel`,
    idempotencyKey: `${attempt.idempotency_key}-tc`,
  })
  if (cancelResult.outcome === 'unknown') {
    await scheduleOrderRetry(deps.db, order, 10)
    return order
  }
  return transact(deps.db, async (trx) => {
    const lockedPayment = await lockPayment(trx, attempt)
    if (cancelResult.outcome === 'refused')
      await reportFailedCancel(trx, lockedPayment.attempt, describeCancelFailure(attempt, cancelResult.code))
    if (cancelResult.outcome === 'received' && isAttemptOpen(lockedPayment.attempt.state))
      await recordUnconfirmedRequest(trx, deps, createTechnicalCancelRequest(attempt, cancelResult.pspReference))
    return recordPaymentCancelled(trx, deps, lockedPayment)
  })
}

const describeCancelFailure = ({ reference }: Attempt, code: string): string =>
  `payment ${reference} could not be cancelled: ${code}`

/** Releases the money reserved on a card type that we do not accept. Only then is the customer told about the refusal. */
async function cancelReservedPayment(deps: OrderDeps, order: Order, attempt: Attempt): Promise<Order> {
  const cancelResult = await deps.card.cancel({
    originalReference: attempt.psp_reference ?? '',
    reference: `${attempt.reference}-cancel`,
    idempotencyKey: `${attempt.idempotency_key}-x`,
  })
  if (cancelResult.outcome === 'unknown') {
    await scheduleOrderRetry(deps.db, order, 10)
    return order
  }
  return transact(deps.db, async (trx) => {
    const lockedPayment = await lockPayment(trx, attempt)
    if (cancelResult.outcome === 'refused')
      await reportFailedCancel(trx, lockedPayment.attempt, describeCancelFailure(attempt, cancelResult.code))
    if (cancelResult.outcome === 'received' && isMoneyReserved(lockedPayment.attempt.state))
      await recordUnconfirmedRequest(trx, deps, createCancelRequest(attempt, cancelResult.pspReference))
    return recordCardTypeRejected(trx, deps, lockedPayment)
  })
}

async function recordCardTypeRejected(trx: Trx, deps: OrderDeps, { order, attempt }: LockedPayment): Promise<Order> {
  if (!(await transitionAttempt(trx, attempt, 'cancelled', { cancelled_at: toDate(realNow()) }))) return order
  const refusedOrder = await transitionOrder(trx, order, 'refused', { failure_code: cardTypeNotAcceptedCode })
  await releaseReservations(trx, deps, order)
  await removeStoredCard(trx, deps, attempt)
  // An unsupported card type counts as a refused payment, so that nobody can test for free whether such a card is valid.
  await recordRefusedPayment(trx, deps, toRefusedPayment({ order, attempt }))
  return refusedOrder ?? order
}

async function removeStoredCard(trx: Trx, deps: OrderDeps, { store, card, shopper_reference }: Attempt): Promise<void> {
  if (store && card?.storedId)
    await scheduleCardRemoval(trx, deps, { storedId: card.storedId, shopperReference: shopper_reference })
}

export const cardTypeNotAcceptedCode = 'card_type'

const toRefusedPayment = ({ order, attempt }: LockedPayment) => ({
  reference: attempt.reference,
  kind: order.kind,
  userId: order.user_id,
  sessionId: order.session_id,
})

async function recordPaymentCancelled(trx: Trx, deps: OrderDeps, { order, attempt }: LockedPayment): Promise<Order> {
  if (!isPaymentOpen(order.state)) return order
  if (!(await transitionAttempt(trx, attempt, 'given_up', { cancelled_at: toDate(realNow()) }))) return order
  const refusedOrder = await transitionOrder(trx, order, 'refused', { failure_code: 'payment_not_confirmed' })
  await releaseReservations(trx, deps, order)
  await removeStoredCard(trx, deps, attempt)
  await undoCardAttemptCount(trx, attempt.reference)
  return refusedOrder ?? order
}
