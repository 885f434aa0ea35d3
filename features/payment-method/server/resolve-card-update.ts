import { isAcceptedCardType } from '#kit/contract/card-types.ts'
import { audit } from '#kit/server/audit.ts'
import { fromDate, realNow, toDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import type { AuthorisationOutcome } from '#providers/card/card.port.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { recordRefusedPayment, undoCardAttemptCount } from '#features/refused-payments/server/refused-payments.ts'
import { isCardUpdateOver } from '../payment-method.states.ts'
import { type CardUpdate, type CardUpdateFailure, findCardUpdate, transitionCardUpdate } from './card-updates.store.ts'
import type { PaymentMethodDeps } from './payment-method.deps.ts'
import {
  scheduleCardRemoval,
  saveAndNotifyCard,
  reportMissingDetails,
  reportUnknownCardNetwork,
} from './payment-method.ts'

/**
 * Sends a card update to the gateway. Repeating the call uses the same idempotency key, so the card is never stored
 * twice. Once the time limit has passed, cancels the update instead. Only the worker that holds the update's lease may
 * call this. `isFirst` means that the update has never been sent before. Returns the update in its new state.
 */
export async function resolveCardUpdate(
  deps: PaymentMethodDeps,
  update: CardUpdate,
  { isFirst = false } = {},
): Promise<CardUpdate> {
  if (isCardUpdateOver(update.state)) return update
  const user = await findUser(deps.db, update.user_id)
  if (!user) return update
  const transitionedUpdate = await sendCardUpdateToGateway(deps, update, { email: user.email, isFirst })
  return transitionedUpdate ?? (await findCardUpdate(deps.db, update.id)) ?? update
}

async function sendCardUpdateToGateway(
  deps: PaymentMethodDeps,
  update: CardUpdate,
  { email, isFirst }: { email: string; isFirst: boolean },
): Promise<CardUpdate | null> {
  if (!update.sealed_card || update.resolve_by <= toDate(realNow())) return cancelAtGateway(deps, update)
  const outcome = await deps.card.authorise({
    reference: update.reference,
    idempotencyKey: update.idempotency_key,
    amount: 0,
    currency: deps.market.currency,
    // Orders use the same shopper reference, so they can be paid for with the card stored here.
    shopperReference: update.user_id,
    shopperEmail: email,
    card: { encrypted: deps.secrets.open(update.sealed_card) },
    store: true,
  })
  // If the API credential is rejected on the first attempt, the gateway has stored nothing.
  const rejectedCredential = isFirst && outcome.outcome === 'unknown' ? outcome.lockedOut : undefined
  return recordOutcome(deps, update, rejectedCredential ? { outcome: 'fault', ...rejectedCredential } : outcome)
}

async function recordOutcome(
  deps: PaymentMethodDeps,
  update: CardUpdate,
  outcome: AuthorisationOutcome,
): Promise<CardUpdate | null> {
  switch (outcome.outcome) {
    case 'authorised':
      return isAcceptedCardType(deps.cardTypes, outcome.card.type)
        ? recordUpdateAuthorised(deps, update, outcome)
        : rejectCardType(deps, update, outcome)
    case 'refused':
      return rejectUpdate(deps, update, 'declined', { refusal: outcome.reason, psp_reference: outcome.pspReference })
    case 'invalid':
      return rejectUpdate(deps, update, 'unreadable', { refusal: `invalid ${outcome.code}` })
    case 'pending':
      // The bank may take days to decide, so tell the customer that no card was stored, and cancel the update.
      return abandonUpdate(deps, update, { psp_reference: outcome.pspReference })
    case 'fault':
      return rejectUpdate(deps, update, 'unconfirmed', {
        refusal: `${internalFaultPrefix} ${outcome.code} ${outcome.message}`,
      })
    case 'unknown':
      return transitionCardUpdate(deps.db, update, 'no_answer', { retry_at: computeNextRetryTime(update) })
  }
}

export const internalFaultPrefix = 'fault'

const cardTypeNotAcceptedReason = 'a card of a type that is not taken'

/** The gateway has already stored the rejected card, so schedule its removal. */
async function rejectCardType(
  deps: PaymentMethodDeps,
  update: CardUpdate,
  { pspReference, card: { storedId } }: AuthorisationOutcome & { outcome: 'authorised' },
): Promise<CardUpdate | null> {
  const patch = { psp_reference: pspReference, refusal: cardTypeNotAcceptedReason }
  return abandonUpdate(deps, update, patch, async (trx) => {
    if (storedId) await scheduleCardRemoval(trx, deps, { storedId, shopperReference: update.user_id })
  })
}

/**
 * Stops waiting for the gateway's response and cancels the card update at the gateway. The next worker to lease the
 * update repeats the cancellation.
 */
async function abandonUpdate(
  deps: PaymentMethodDeps,
  update: CardUpdate,
  patch: { psp_reference: string; refusal?: string },
  also: (trx: Trx) => Promise<void> = async () => {},
): Promise<CardUpdate | null> {
  const transitionedUpdate = await transact(deps.db, async (trx) => {
    const abandonedUpdate = await transitionCardUpdate(trx, update, 'no_answer', {
      ...patch,
      resolve_by: toDate(realNow()),
    })
    if (abandonedUpdate) await also(trx)
    return abandonedUpdate
  })
  return transitionedUpdate && cancelAtGateway(deps, transitionedUpdate)
}

async function recordUpdateAuthorised(
  deps: PaymentMethodDeps,
  update: CardUpdate,
  { pspReference, card }: AuthorisationOutcome & { outcome: 'authorised' },
): Promise<CardUpdate | null> {
  const patch = { psp_reference: pspReference }
  await transact(deps.db, async (trx) => {
    await reportUnknownCardNetwork(trx, card)
    await reportMissingDetails(trx, card, { store: true, stored_card_id: null })
  })
  if (!card.storedId)
    return rejectUpdate(deps, update, 'unconfirmed', { ...patch, refusal: 'authorised, and not stored' })
  return transact(deps.db, async (trx) => {
    const transitionedUpdate = await transitionCardUpdate(trx, update, 'stored', patch)
    if (!transitionedUpdate) return null
    await undoCardAttemptCount(trx, update.reference)
    await saveAndNotifyCard(trx, deps, update.user_id, {
      card: { ...card, shopperReference: update.user_id },
      at: fromDate(update.asked_at),
      event: update.reference,
    })
    await audit(trx, deps.clock, {
      event: 'card_updated',
      userId: update.user_id,
      details: { reference: update.reference },
    })
    return transitionedUpdate
  })
}

function rejectUpdate(
  deps: PaymentMethodDeps,
  update: CardUpdate,
  failure: CardUpdateFailure,
  patch: { refusal: string; psp_reference?: string | null },
): Promise<CardUpdate | null> {
  return transact(deps.db, async (trx) => {
    const transitionedUpdate = await transitionCardUpdate(trx, update, 'refused', { ...patch, failure })
    if (!transitionedUpdate) return null
    /*
     * `unconfirmed` does not mean that the bank declined the card. Either the gateway did not store it, or the request failed because
     * of a mistake on our side.
     */
    if (failure === 'unconfirmed') await undoCardAttemptCount(trx, update.reference)
    else await recordRejectedPayment(trx, deps, update)
    return transitionedUpdate
  })
}

const recordRejectedPayment = (
  trx: Trx,
  deps: PaymentMethodDeps,
  { reference, user_id: userId }: CardUpdate,
): Promise<void> => recordRefusedPayment(trx, deps, { reference, kind: 'card_update', userId, sessionId: null })

/** A zero authorisation holds no money, so an hour of retries is enough for its cancellation. */
const maxCancelMinutes = 60

async function cancelAtGateway(deps: PaymentMethodDeps, update: CardUpdate): Promise<CardUpdate | null> {
  const { db, card, log } = deps
  const cancelResult = await card.technicalCancel({
    originalReference: update.reference,
    reference: `${update.reference}-cancel`,
    idempotencyKey: `${update.idempotency_key}-tc`,
  })
  const isTooLate = update.created_at < toDate(realNow().subtract({ minutes: maxCancelMinutes }))
  if (cancelResult.outcome === 'unknown' && !isTooLate)
    return transitionCardUpdate(db, update, 'no_answer', { retry_at: computeNextRetryTime(update) })
  if (cancelResult.outcome !== 'received')
    log.warn(
      { reference: update.reference, answer: cancelResult.outcome },
      'a card update was abandoned, but could not be cancelled at the gateway',
    )
  return transact(db, async (trx) => {
    const isUnacceptedCardType = update.refusal === cardTypeNotAcceptedReason
    const transitionedUpdate = await transitionCardUpdate(trx, update, 'cancelled', {
      failure: isUnacceptedCardType ? 'card_type' : 'unconfirmed',
    })
    /*
     * A rejected card type counts as a refused payment. Otherwise, an attacker could use this form to check for free
     * whether cards of that type are valid.
     */
    if (transitionedUpdate && isUnacceptedCardType) await recordRejectedPayment(trx, deps, transitionedUpdate)
    else if (transitionedUpdate) await undoCardAttemptCount(trx, update.reference)
    return transitionedUpdate
  })
}

/**
 * Retries every second while the customer is likely to be waiting, then every ten seconds to spare an overloaded
 * gateway.
 */
function computeNextRetryTime(update: CardUpdate): Date {
  const now = realNow()
  const isRecent = update.created_at > toDate(now.subtract({ seconds: 15 }))
  return toDate(now.add({ seconds: isRecent ? 1 : 10 }))
}
