import { cardName, cardTypes } from '#kit/contract/card-types.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { invalidForm } from '#kit/server/refusal.ts'
import { isCardExpired } from '#kit/server/card-expiry.ts'
import type { Visit } from '#kit/server/visit.ts'
import type { CardPayment } from '#providers/card/card.port.ts'
import { findSavedCard, lockSavedCards, type SavedCard } from '#features/payment-method/server/saved-cards.store.ts'
import { cardPaymentMessages, type SourceAnswers } from '../card-payment.contract.ts'
import { orderMessages } from '../orders.contract.ts'
import type { OrderDeps } from './orders.deps.ts'
import { type Order, paysByCard } from './orders.store.ts'
import type { NewAttempt } from './new-attempts.store.ts'
import { type Attempt, latestAttempt } from './payments.store.ts'

// All that this side knows of what is charged: as a form says it, as an order's attempt keeps it, as the gateway is sent it.

/** What is charged for an order: a card as the browser encrypted it, kept for later or not, or the customer's saved one. */
export type CardSource = { by: 'card'; encrypted: string; store: boolean } | { by: 'saved_card' }

/** What a form has charged, or the sentence that says why that does not do. */
export async function cardSourceFrom(
  deps: OrderDeps,
  { user }: Visit,
  { use_saved_card: saved, adyen_encrypted: encrypted }: SourceAnswers,
  { store, db = deps.db }: { store: boolean; db?: Db | Trx },
): Promise<{ cardSource: CardSource } | { refusal: string }> {
  if (saved) {
    const found = user ? usable(deps, await findSavedCard(db, user.id)) : { refusal: cardPaymentMessages.noSavedCard }
    return 'refusal' in found ? found : { cardSource: { by: 'saved_card' } }
  }
  return encrypted ? { cardSource: { by: 'card', encrypted, store } } : { refusal: orderMessages.cardUnreadable }
}

/** The customer's saved card, or the sentence that says why it cannot be charged. */
function usable({ clock, market }: OrderDeps, card: SavedCard | undefined): { card: SavedCard } | { refusal: string } {
  if (!card) return { refusal: cardPaymentMessages.noSavedCard }
  return isCardExpired(card, clock.now(), market.zone) ? { refusal: cardPaymentMessages.savedCardExpired } : { card }
}

/** An order, and what is charged for it. */
export type Charge = { order: Order; source: CardSource }

/**
 * What attempts keep to be charged, each in its place: the card as it was encrypted, sealed, or the id of the saved one.
 * @throws 400 when there is none to charge
 */
export async function attemptsOf(trx: Trx, deps: OrderDeps, charges: readonly Charge[]): Promise<NewAttempt[]> {
  const owners = charges.flatMap(({ order, source }) => (source.by === 'saved_card' ? [ownerOf(order)] : []))
  const cards = await lockSavedCards(trx, owners)
  return charges.map(({ order, source }) =>
    source.by === 'card' ? ofNewCard(deps, order, source) : ofSavedCard(deps, ownerOf(order), cards),
  )
}

function ownerOf({ user_id: owner, order_code: code }: Order): string {
  if (!owner) throw new Error(`order ${code} has no customer whose card could be charged`)
  return owner
}

const ofNewCard = (
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

function ofSavedCard(deps: OrderDeps, owner: string, cards: ReadonlyMap<string, SavedCard>): NewAttempt {
  const found = usable(deps, cards.get(owner))
  if ('refusal' in found) throw invalidForm(found.refusal)
  const { stored_id, shopper_reference, ...saved } = found.card
  return {
    sealed_card: null,
    stored_card_id: stored_id,
    store: false,
    shopper_reference: shopper_reference ?? owner,
    // What is charged is this card, whichever is saved later and whatever the gateway says of it.
    card: {
      type: cardTypes.find((type) => type === saved.card_type) ?? null,
      lastFour: saved.last_four,
      expiry: saved.expiry,
      holderName: saved.holder_name,
      storedId: stored_id,
    },
  }
}

/** What an order was paid with, in words that stay true: the card is the one that was charged then. */
export async function namePayment(trx: Trx, order: Order): Promise<string> {
  if (!paysByCard(order)) return 'Voucher'
  const card = (await latestAttempt(trx, order.id))?.card
  return cardName(card?.type ?? null, card?.lastFour ?? null)
}

/** What the gateway is sent of an attempt. Null once its card is wiped, and for a voucher, which is charged nowhere. */
export function cardToCharge(
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
