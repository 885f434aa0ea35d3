import { formatCardName } from '#kit/contract/card-types.ts'
import type { Trx } from '#kit/server/db.ts'
import { isCardExpired } from '#kit/server/card-expiry.ts'
import { findSavedCard } from '#features/payment-method/server/saved-cards.store.ts'

export type SavedCard = NonNullable<Awaited<ReturnType<typeof findSavedCard>>>
export type CardProblem = 'no-card' | 'card-expired'

export async function findChargeableCard(
  trx: Trx,
  userId: string,
  at: Temporal.Instant,
  zone: string,
): Promise<{ card: SavedCard | null; trouble: CardProblem | null }> {
  const card = (await findSavedCard(trx, userId)) ?? null
  return { card, trouble: findCardProblem(card, at, zone) }
}

export function findCardProblem(card: SavedCard | null, at: Temporal.Instant, zone: string): CardProblem | null {
  if (!card) return 'no-card'
  return isCardExpired(card, at, zone) ? 'card-expired' : null
}

/** The details of a card that a message may state. */
export type CardLabel = Pick<SavedCard, 'card_type' | 'last_four'>

export const getCardLabel = (card: SavedCard | null): CardLabel | null =>
  card && { card_type: card.card_type, last_four: card.last_four }

export const getCardName = ({ card_type: type, last_four: lastFour }: CardLabel): string =>
  formatCardName(type, lastFour)
