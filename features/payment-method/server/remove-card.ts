import { formatNational } from '#kit/contract/phone.ts'
import { audit } from '#kit/server/audit.ts'
import { transact } from '#kit/server/db.ts'
import { backOff, retryIn } from '#kit/server/retries.ts'
import type { Visit } from '#kit/server/visit.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { listServicesOf } from '#features/services/server/services.store.ts'
import { type CardRemoval, cardRemovalRetries, moveCardRemoval } from './card-removals.store.ts'
import type { PaymentMethodDeps } from './payment-method.deps.ts'
import { tellOfRemovedCard } from './payment-method.mail.ts'
import { forgetCard } from './payment-method.ts'
import { deleteSavedCard, isSaved } from './saved-cards.store.ts'

/** No new charge uses the removed card; a charge committed before goes on. Idempotent. */
export async function removeCard(deps: PaymentMethodDeps, userId: string, visit: Visit): Promise<void> {
  const renewing = await renewingNumbers(deps, userId)
  await transact(deps.db, async (trx) => {
    const card = await deleteSavedCard(trx, userId)
    if (!card) return
    const removalId = await forgetCard(trx, deps, {
      storedId: card.stored_id,
      shopperReference: card.shopper_reference ?? userId,
    })
    await audit(trx, deps.clock, { event: 'card_removed', userId, sessionId: visit.session.id })
    const owner = await findUser(trx, userId)
    if (owner) await tellOfRemovedCard(trx, deps, owner, { event: removalId, card, renewing })
  })
}

async function renewingNumbers({ db, renewingOf }: PaymentMethodDeps, userId: string): Promise<string[]> {
  const services = await listServicesOf(db, userId)
  if (services.length === 0) return []
  const renewing = await renewingOf(services.map(({ id }) => id))
  return services.filter(({ id }) => renewing.has(id)).map(({ msisdn }) => formatNational(msisdn))
}

const chargedAgainSeconds = 5
const longestPauseSeconds = 3_600

/**
 * Removes a card at the gateway, once no charge of it is in progress. Uses the removal's own idempotency key, and
 * retries until the gateway responds. Only for the worker that holds the lease.
 */
export async function resolveCardRemoval(deps: PaymentMethodDeps, removal: CardRemoval): Promise<void> {
  const { id, stored_id: storedId, shopper_reference: shopperReference, idempotency_key: idempotencyKey } = removal
  if (removal.state !== 'initiated') return
  // The gateway may reuse the stored id when the same card is saved again.
  if (await isSaved(deps.db, storedId)) return void (await moveCardRemoval(deps.db, removal, 'kept'))
  if (await deps.isBeingCharged(storedId))
    return retryIn(
      deps.db,
      cardRemovalRetries,
      { id },
      { seconds: chargedAgainSeconds, change: { tries: removal.tries } },
    )
  const answer = await deps.card.disable({ storedId, shopperReference, idempotencyKey })
  switch (answer.outcome) {
    case 'disabled':
      return void (await moveCardRemoval(deps.db, removal, 'removed'))
    case 'refused':
      deps.log.warn({ removal: id, code: answer.code }, 'the gateway would not forget a card')
      return void (await moveCardRemoval(deps.db, removal, 'refused', { refusal: answer.code }))
    case 'unknown': {
      const seconds = backOff(removal.tries, longestPauseSeconds)
      return retryIn(deps.db, cardRemovalRetries, { id }, { seconds })
    }
  }
}
