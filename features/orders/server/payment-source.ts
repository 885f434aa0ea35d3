import { formatCardName, cardTypes } from '#kit/contract/card-types.ts'
import { isEncryptedCard } from '#kit/contract/encrypted-card.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { formError } from '#kit/server/http-error.ts'
import { isCardExpired } from '#kit/server/card-expiry.ts'
import type { RequestContext } from '#kit/server/request-context.ts'
import type { CardPayment } from '#providers/card/card.port.ts'
import { findSavedCard, lockSavedCards, type SavedCard } from '#features/payment-method/server/saved-cards.store.ts'
import { cardPaymentMessages, type PaymentSourceFields } from '../card-payment.contract.ts'
import { orderMessages } from '../orders.contract.ts'
import type { OrderDeps } from './orders.deps.ts'
import { type Order, paysByCard } from './orders.store.ts'
import type { NewAttempt } from './payment-attempts.store.ts'
import { type Attempt, findLatestAttempt } from './payments.store.ts'

// Only this module knows how a card is represented in forms, payment attempts and gateway requests.

export type CardSource = { by: 'card'; encrypted: string; store: boolean } | { by: 'saved_card' }

export async function resolveCardSource(
  deps: OrderDeps,
  { user }: RequestContext,
  { use_saved_card: saved, adyen_encrypted: encrypted }: PaymentSourceFields,
  { store, db = deps.db }: { store: boolean; db?: Db | Trx },
): Promise<{ cardSource: CardSource } | { refusal: string }> {
  if (saved) {
    const usableCard = user
      ? resolveUsableCard(deps, await findSavedCard(db, user.id))
      : { refusal: cardPaymentMessages.noSavedCard }
    return 'refusal' in usableCard ? usableCard : { cardSource: { by: 'saved_card' } }
  }
  return encrypted && isEncryptedCard(encrypted)
    ? { cardSource: { by: 'card', encrypted, store } }
    : { refusal: orderMessages.cardUnreadable }
}

function resolveUsableCard(
  { clock, market }: OrderDeps,
  card: SavedCard | undefined,
): { card: SavedCard } | { refusal: string } {
  if (!card) return { refusal: cardPaymentMessages.noSavedCard }
  return isCardExpired(card, clock.now(), market.zone) ? { refusal: cardPaymentMessages.savedCardExpired } : { card }
}

export type CardCharge = { order: Order; source: CardSource }

/**
 * Creates the card columns for new payment attempts, in the same sequence as `charges`: the sealed encrypted card, or the
 * saved card's id.
 * @throws 400 if there is no card to charge
 */
export async function createAttempts(trx: Trx, deps: OrderDeps, charges: readonly CardCharge[]): Promise<NewAttempt[]> {
  const owners = charges.flatMap(({ order, source }) => (source.by === 'saved_card' ? [getCardOwner(order)] : []))
  const cards = await lockSavedCards(trx, owners)
  return charges.map(({ order, source }) =>
    source.by === 'card'
      ? attemptWithNewCard(deps, order, source)
      : attemptWithSavedCard(deps, getCardOwner(order), cards),
  )
}

function getCardOwner({ user_id: owner, order_code: code }: Order): string {
  if (!owner) throw new Error(`order ${code} has no customer whose card could be charged`)
  return owner
}

const attemptWithNewCard = (
  { secrets }: OrderDeps,
  { user_id, id }: Order,
  { encrypted, store }: CardSource & { by: 'card' },
): NewAttempt => ({
  sealed_card: secrets.seal(encrypted),
  stored_card_id: null,
  store,
  shopper_reference: user_id ?? id,
  card: null,
})

function attemptWithSavedCard(deps: OrderDeps, owner: string, cards: ReadonlyMap<string, SavedCard>): NewAttempt {
  const usableCard = resolveUsableCard(deps, cards.get(owner))
  if ('refusal' in usableCard) throw formError(usableCard.refusal)
  const { stored_id, shopper_reference, ...saved } = usableCard.card
  return {
    sealed_card: null,
    stored_card_id: stored_id,
    store: false,
    shopper_reference: shopper_reference ?? owner,
    // Store the details of the saved card being charged, because the customer may replace it later.
    card: {
      type: cardTypes.find((type) => type === saved.card_type) ?? null,
      lastFour: saved.last_four,
      expiry: saved.expiry,
      holderName: saved.holder_name,
      storedId: stored_id,
    },
  }
}

export async function getPaymentMethodName(trx: Trx, order: Order): Promise<string> {
  if (!paysByCard(order)) return 'Voucher'
  const card = (await findLatestAttempt(trx, order.id))?.card
  return formatCardName(card?.type ?? null, card?.lastFour ?? null)
}

/** The card in the form that the gateway request needs; `null` for a voucher, or once the encrypted card has been wiped. */
export function toGatewayCard(
  { secrets }: OrderDeps,
  { paid_with: source }: Order,
  { stored_card_id: storedId, sealed_card: sealed }: Attempt,
): CardPayment['card'] | null {
  switch (source) {
    case 'saved_card':
      return storedId ? { storedId } : null
    case 'card':
      return sealed ? { encrypted: secrets.open(sealed) } : null
    case 'voucher':
      return null
  }
}
