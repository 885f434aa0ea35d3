import { isTakenType } from '#kit/contract/card-types.ts'
import { audit } from '#kit/server/audit.ts'
import { fromDate, realNow, toDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import type { AuthoriseOutcome } from '#providers/card/card.port.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { recordRefusedPayment, uncountCardAttempt } from '#features/refused-payments/server/refused-payments.ts'
import { isOver } from '../payment-method.states.ts'
import { type CardUpdate, type Failure, findCardUpdate, moveCardUpdate } from './card-updates.store.ts'
import type { PaymentMethodDeps } from './payment-method.deps.ts'
import { forgetCard, keepCard, reportMissingDetails, reportUnknownNetwork } from './payment-method.ts'

/**
 * A repeat uses the same idempotency key, so it never stores a card twice. After the time limit, the update is
 * cancelled instead. Only for the worker that holds the lease. `isFirst` means that the update was never sent before.
 * Returns the update in its new state.
 */
export async function resolveCardUpdate(
  deps: PaymentMethodDeps,
  update: CardUpdate,
  { isFirst = false } = {},
): Promise<CardUpdate> {
  if (isOver(update.state)) return update
  const user = await findUser(deps.db, update.user_id)
  if (!user) return update
  const moved = await askGateway(deps, update, { email: user.email, isFirst })
  return moved ?? (await findCardUpdate(deps.db, update.id)) ?? update
}

async function askGateway(
  deps: PaymentMethodDeps,
  update: CardUpdate,
  { email, isFirst }: { email: string; isFirst: boolean },
): Promise<CardUpdate | null> {
  if (!update.sealed_card || update.resolve_by <= toDate(realNow())) return cancel(deps, update)
  const outcome = await deps.card.authorise({
    reference: update.reference,
    idempotencyKey: update.idempotency_key,
    amount: 0,
    currency: deps.market.currency,
    // Orders use the same shopper reference, so the card stored here can pay for them.
    shopperReference: update.user_id,
    shopperEmail: email,
    card: { encrypted: deps.secrets.open(update.sealed_card) },
    store: true,
  })
  // On a first attempt, a rejected credential means that nothing was stored.
  const lockedOut = isFirst && outcome.outcome === 'unknown' ? outcome.lockedOut : undefined
  return record(deps, update, lockedOut ? { outcome: 'fault', ...lockedOut } : outcome)
}

async function record(
  deps: PaymentMethodDeps,
  update: CardUpdate,
  outcome: AuthoriseOutcome,
): Promise<CardUpdate | null> {
  switch (outcome.outcome) {
    case 'authorised':
      return isTakenType(deps.cardTypes, outcome.card.type)
        ? recordAuthorised(deps, update, outcome)
        : notTaken(deps, update, outcome)
    case 'refused':
      return refuse(deps, update, 'declined', { refusal: outcome.reason, psp_reference: outcome.pspReference })
    case 'invalid':
      return refuse(deps, update, 'unreadable', { refusal: `invalid ${outcome.code}` })
    case 'pending':
      // The bank may take days, and the customer is waiting at the form. The update is cancelled, so that the gateway
      // does not store a card after the customer was told otherwise.
      return giveUp(deps, update, { psp_reference: outcome.pspReference })
    case 'fault':
      return refuse(deps, update, 'unconfirmed', { refusal: `${faultOfOurs} ${outcome.code} ${outcome.message}` })
    case 'unknown':
      return moveCardUpdate(deps.db, update, 'no_answer', { retry_at: nextTry(update) })
  }
}

export const faultOfOurs = 'fault'

const cardTypeNotTaken = 'a card of a type that is not taken'

/** The gateway has already stored the card, so its removal is scheduled. */
async function notTaken(
  deps: PaymentMethodDeps,
  update: CardUpdate,
  { pspReference, card: { storedId } }: AuthoriseOutcome & { outcome: 'authorised' },
): Promise<CardUpdate | null> {
  const patch = { psp_reference: pspReference, refusal: cardTypeNotTaken }
  return giveUp(deps, update, patch, async (trx) => {
    if (storedId) await forgetCard(trx, deps, { storedId, shopperReference: update.user_id })
  })
}

/**
 * Records that no response is awaited any more, then cancels at the gateway. The next worker that leases the update
 * repeats the cancel.
 */
async function giveUp(
  deps: PaymentMethodDeps,
  update: CardUpdate,
  patch: { psp_reference: string; refusal?: string },
  also: (trx: Trx) => Promise<void> = async () => {},
): Promise<CardUpdate | null> {
  const moved = await transact(deps.db, async (trx) => {
    const given = await moveCardUpdate(trx, update, 'no_answer', { ...patch, resolve_by: toDate(realNow()) })
    if (given) await also(trx)
    return given
  })
  return moved && cancel(deps, moved)
}

async function recordAuthorised(
  deps: PaymentMethodDeps,
  update: CardUpdate,
  { pspReference, card }: AuthoriseOutcome & { outcome: 'authorised' },
): Promise<CardUpdate | null> {
  const patch = { psp_reference: pspReference }
  await transact(deps.db, async (trx) => {
    await reportUnknownNetwork(trx, card)
    await reportMissingDetails(trx, card, { store: true, stored_card_id: null })
  })
  if (!card.storedId) return refuse(deps, update, 'unconfirmed', { ...patch, refusal: 'authorised, and not stored' })
  return transact(deps.db, async (trx) => {
    const moved = await moveCardUpdate(trx, update, 'stored', patch)
    if (!moved) return null
    await uncountCardAttempt(trx, update.reference)
    await keepCard(trx, deps, update.user_id, {
      card: { ...card, shopperReference: update.user_id },
      at: fromDate(update.asked_at),
      event: update.reference,
    })
    await audit(trx, deps.clock, {
      event: 'card_updated',
      userId: update.user_id,
      details: { reference: update.reference },
    })
    return moved
  })
}

function refuse(
  deps: PaymentMethodDeps,
  update: CardUpdate,
  failure: Failure,
  patch: { refusal: string; psp_reference?: string | null },
): Promise<CardUpdate | null> {
  return transact(deps.db, async (trx) => {
    const moved = await moveCardUpdate(trx, update, 'refused', { ...patch, failure })
    if (!moved) return null
    // The gateway accepted the card without storing it, or failed because of us. Neither shows that the card is bad.
    if (failure === 'unconfirmed') await uncountCardAttempt(trx, update.reference)
    else await recordRefused(trx, deps, update)
    return moved
  })
}

const recordRefused = (trx: Trx, deps: PaymentMethodDeps, { reference, user_id: userId }: CardUpdate): Promise<void> =>
  recordRefusedPayment(trx, deps, { reference, kind: 'card_update', userId, sessionId: null })

/** A zero authorisation reserves no money, so cancelling is not retried for longer than this. */
const longestCancelMinutes = 60

async function cancel(deps: PaymentMethodDeps, update: CardUpdate): Promise<CardUpdate | null> {
  const { db, card, log } = deps
  const answer = await card.technicalCancel({
    originalReference: update.reference,
    reference: `${update.reference}-cancel`,
    idempotencyKey: `${update.idempotency_key}-tc`,
  })
  const isTooLate = update.created_at < toDate(realNow().subtract({ minutes: longestCancelMinutes }))
  if (answer.outcome === 'unknown' && !isTooLate)
    return moveCardUpdate(db, update, 'no_answer', { retry_at: nextTry(update) })
  if (answer.outcome !== 'received')
    log.warn(
      { reference: update.reference, answer: answer.outcome },
      'a card update was given up and could not be cancelled',
    )
  return transact(db, async (trx) => {
    const isOther = update.refusal === cardTypeNotTaken
    const moved = await moveCardUpdate(trx, update, 'cancelled', { failure: isOther ? 'card_type' : 'unconfirmed' })
    // Counts as a refused payment. Otherwise this form would tell for free which cards of these types are valid.
    if (moved && isOther) await recordRefused(trx, deps, moved)
    else if (moved) await uncountCardAttempt(trx, update.reference)
    return moved
  })
}

/** Frequent while the customer waits, then at a pace that an overloaded gateway can handle. */
function nextTry(update: CardUpdate): Date {
  const now = realNow()
  const isFresh = update.created_at > toDate(now.subtract({ seconds: 15 }))
  return toDate(now.add({ seconds: isFresh ? 1 : 10 }))
}
