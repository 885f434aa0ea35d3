import { cardName } from '#kit/contract/card-types.ts'
import type { Trx } from '#kit/server/db.ts'
import { isCardExpired } from '#kit/server/card-expiry.ts'
import { findSavedCard } from '#features/payment-method/server/saved-cards.store.ts'

export type SavedCard = NonNullable<Awaited<ReturnType<typeof findSavedCard>>>
export type CardTrouble = 'no-card' | 'card-expired'

export async function cardFor(
  trx: Trx,
  userId: string,
  at: Temporal.Instant,
  zone: string,
): Promise<{ card: SavedCard | null; trouble: CardTrouble | null }> {
  const card = (await findSavedCard(trx, userId)) ?? null
  return { card, trouble: troubleOf(card, at, zone) }
}

export function troubleOf(card: SavedCard | null, at: Temporal.Instant, zone: string): CardTrouble | null {
  if (!card) return 'no-card'
  return isCardExpired(card, at, zone) ? 'card-expired' : null
}

export const nameOfCard = ({ card_type: type, last_four: lastFour }: SavedCard): string => cardName(type, lastFour)
