import { audit } from '#kit/server/audit.ts'
import { fromDate, realNow, toDate } from '#kit/server/clock.ts'
import { transact } from '#kit/server/db.ts'
import type { AuthoriseOutcome } from '#providers/card/card.port.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { recordRefusedPayment, uncountCardAttempt } from '#features/refused-payments/server/refused-payments.ts'
import { isOver } from '../payment-method.states.ts'
import { type CardUpdate, type Failure, findCardUpdate, moveCardUpdate } from './card-updates.store.ts'
import type { PaymentMethodDeps } from './payment-method.deps.ts'
import { saveCard } from './saved-cards.store.ts'

/**
 * Asks the gateway about an update and writes down what it says: with the update's own key, so that asking again stores
 * nothing twice; past its time limit by a cancel. For the worker that has the lease. Answers the update as it is then.
 */
export async function resolveCardUpdate(deps: PaymentMethodDeps, update: CardUpdate): Promise<CardUpdate> {
  if (isOver(update.state)) return update
  const user = await findUser(deps.db, update.user_id)
  if (!user) return update
  const moved = await askGateway(deps, update, user.email)
  return moved ?? (await findCardUpdate(deps.db, update.id)) ?? update
}

async function askGateway(deps: PaymentMethodDeps, update: CardUpdate, email: string): Promise<CardUpdate | null> {
  if (!update.sealed_card || update.resolve_by <= toDate(realNow())) return cancel(deps, update)
  const outcome = await deps.card.authorise({
    reference: update.reference,
    idempotencyKey: update.idempotency_key,
    amount: 0,
    currency: deps.market.currency,
    // As orders have it: the card that is stored here is the one that pays there.
    shopperReference: update.user_id,
    shopperEmail: email,
    card: { encrypted: deps.secrets.open(update.sealed_card) },
    store: true,
  })
  return record(deps, update, outcome)
}

/** Null when another worker has written down an outcome before. */
async function record(
  deps: PaymentMethodDeps,
  update: CardUpdate,
  outcome: AuthoriseOutcome,
): Promise<CardUpdate | null> {
  switch (outcome.outcome) {
    case 'authorised':
      return recordAuthorised(deps, update, outcome)
    case 'refused':
      return refuse(deps, update, 'declined', { refusal: outcome.reason, psp_reference: outcome.pspReference })
    case 'invalid':
      return refuse(deps, update, 'unreadable', { refusal: `invalid ${outcome.code}` })
    case 'pending':
      // The customer is at the form, and a bank may take days; customers do not wait that long. So that it stores no card of which
      // the customer was told otherwise, it is cancelled, now and by the worker that leases it next.
      await moveCardUpdate(deps.db, update, 'no_answer', {
        psp_reference: outcome.pspReference,
        resolve_by: toDate(realNow()),
      })
      return cancel(deps, update)
    case 'unknown':
      return moveCardUpdate(deps.db, update, 'no_answer', { retry_at: nextTry(update) })
  }
}

async function recordAuthorised(
  deps: PaymentMethodDeps,
  update: CardUpdate,
  { pspReference, card }: AuthoriseOutcome & { outcome: 'authorised' },
): Promise<CardUpdate | null> {
  const patch = { psp_reference: pspReference }
  if (!card.storedId) return refuse(deps, update, 'unconfirmed', { ...patch, refusal: 'authorised, and not stored' })
  return transact(deps.db, async (trx) => {
    const moved = await moveCardUpdate(trx, update, 'stored', patch)
    if (!moved) return null
    await uncountCardAttempt(trx, update.reference)
    await saveCard(trx, update.user_id, { ...card, shopperReference: update.user_id }, fromDate(update.asked_at))
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
    // Of a card that the gateway took and did not keep, it was not learnt that it is no good.
    if (failure === 'unconfirmed') await uncountCardAttempt(trx, update.reference)
    else
      await recordRefusedPayment(trx, deps, {
        reference: update.reference,
        kind: 'card_update',
        userId: update.user_id,
        sessionId: null,
      })
    return moved
  })
}

/** No money is reserved by an authorisation of nothing: a gateway that cannot even cancel for an hour is not asked for ever. */
const longestCancelMinutes = 60

async function cancel({ db, card, log }: PaymentMethodDeps, update: CardUpdate): Promise<CardUpdate | null> {
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
    const moved = await moveCardUpdate(trx, update, 'cancelled', { failure: 'unconfirmed' })
    if (moved) await uncountCardAttempt(trx, update.reference)
    return moved
  })
}

/** Soon while the customer waits for the answer, then at a pace that a gateway in trouble can stand. */
function nextTry(update: CardUpdate): Date {
  const now = realNow()
  const isFresh = update.created_at > toDate(now.subtract({ seconds: 15 }))
  return toDate(now.add({ seconds: isFresh ? 1 : 10 }))
}
