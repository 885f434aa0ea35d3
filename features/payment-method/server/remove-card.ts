import { formatNational } from '#kit/contract/phone.ts'
import { audit } from '#kit/server/audit.ts'
import { transact } from '#kit/server/db.ts'
import { computeBackOffSeconds, scheduleRetry } from '#kit/server/retry-queue.ts'
import type { RequestContext } from '#kit/server/request-context.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { listUserServices } from '#features/services/server/services.store.ts'
import { type CardRemoval, cardRemovalQueue, transitionCardRemoval } from './card-removals.store.ts'
import type { PaymentMethodDeps } from './payment-method.deps.ts'
import { notifyCardRemoved } from './payment-method.mail.ts'
import { scheduleCardRemoval } from './payment-method.ts'
import { deleteSavedCard, isCardSaved } from './saved-cards.store.ts'

/**
 * Removes a customer's card. No new charge can use the card, but a charge that has already been committed still goes
 * through. Idempotent.
 */
export async function removeCard(deps: PaymentMethodDeps, userId: string, visit: RequestContext): Promise<void> {
  const numbersWithAutoRenewal = await listRenewingNumbers(deps, userId)
  await transact(deps.db, async (trx) => {
    const card = await deleteSavedCard(trx, userId)
    if (!card) return
    const removalId = await scheduleCardRemoval(trx, deps, {
      storedId: card.stored_id,
      shopperReference: card.shopper_reference ?? userId,
    })
    await audit(trx, deps.clock, { event: 'card_removed', userId, sessionId: visit.session.id })
    const owner = await findUser(trx, userId)
    if (owner) await notifyCardRemoved(trx, deps, owner, { event: removalId, card, renewing: numbersWithAutoRenewal })
  })
}

async function listRenewingNumbers({ db, renewingOf }: PaymentMethodDeps, userId: string): Promise<string[]> {
  const services = await listUserServices(db, userId)
  if (services.length === 0) return []
  const renewingIds = await renewingOf(services.map(({ id }) => id))
  return services.filter(({ id }) => renewingIds.has(id)).map(({ msisdn }) => formatNational(msisdn))
}

const recentChargeDelaySeconds = 5
const maxRetrySeconds = 3_600

/**
 * Removes a card from the gateway once it has no charge in progress. Uses the removal's idempotency key, and retries
 * until the gateway responds. Only the worker that holds the removal's lease may call this.
 */
export async function resolveCardRemoval(deps: PaymentMethodDeps, removal: CardRemoval): Promise<void> {
  const { id, stored_id: storedId, shopper_reference: shopperReference, idempotency_key: idempotencyKey } = removal
  if (removal.state !== 'initiated') return
  // When a customer saves the same card again, the gateway may reuse its ID, so never remove a card that is saved.
  if (await isCardSaved(deps.db, storedId)) return void (await transitionCardRemoval(deps.db, removal, 'kept'))
  if (await deps.isBeingCharged(storedId))
    return scheduleRetry(
      deps.db,
      cardRemovalQueue,
      { id },
      { seconds: recentChargeDelaySeconds, change: { tries: removal.tries } },
    )
  const disableResult = await deps.card.disable({ storedId, shopperReference, idempotencyKey })
  switch (disableResult.outcome) {
    case 'disabled':
      return void (await transitionCardRemoval(deps.db, removal, 'removed'))
    case 'refused':
      deps.log.warn({ removal: id, code: disableResult.code }, 'the gateway refused to remove a saved card')
      return void (await transitionCardRemoval(deps.db, removal, 'refused', { refusal: disableResult.code }))
    case 'unknown': {
      const retryDelaySeconds = computeBackOffSeconds(removal.tries, maxRetrySeconds)
      return scheduleRetry(deps.db, cardRemovalQueue, { id }, { seconds: retryDelaySeconds })
    }
  }
}
