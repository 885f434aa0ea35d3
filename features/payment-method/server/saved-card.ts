import type { Market } from '#kit/contract/bootstrap.ts'
import { cardTypes } from '#kit/contract/card-types.ts'
import { isCardExpired } from '#kit/server/card-expiry.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { CardToken } from '#features/auth/auth.contract.ts'
import { findSavedCard, type SavedCard } from './saved-cards.store.ts'

export async function presentSavedCard(
  { db, clock, market }: { db: Db; clock: Clock; market: Market },
  userId: string,
): Promise<CardToken | null> {
  const card = await findSavedCard(db, userId)
  return card ? presentCard({ clock, market }, card) : null
}

export function presentCard({ clock, market }: { clock: Clock; market: Market }, card: SavedCard): CardToken {
  const [month = '', year = ''] = card.expiry.split('/')
  return {
    card_type: cardTypes.find((type) => type === card.card_type) ?? null,
    masked_card_number: `**** **** **** ${card.last_four}`,
    formatted_expiry_date: `${month} / ${year.slice(-2)}`,
    card_holder_name: card.holder_name,
    is_expired: isCardExpired(card, clock.now(), market.zone),
  }
}
