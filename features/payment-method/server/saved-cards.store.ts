import { type Selectable, sql } from 'kysely'
import { toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { inIds, type Ids, queryPart, type Value } from '#kit/server/combined-query.ts'
import type { CardDetails } from '#providers/card/card.port.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    saved_cards: SavedCardTable
  }
}

type SavedCardTable = {
  user_id: string
  stored_id: string
  card_type: string | null
  last_four: string
  expiry: string
  holder_name: string
  /**
   * The gateway's shopper reference for the cardholder, which every charge must use. `null` means that the user's ID is
   * the reference.
   */
  shopper_reference: string | null
  saved_at: Date
}
export type SavedCard = Selectable<SavedCardTable>

/**
 * Saves a card, unless the gateway did not store it or the customer's saved card is newer. `at` is read from the
 * application's clock.
 */
export async function saveCard(
  trx: Trx,
  userId: string,
  { shopperReference, ...card }: CardDetails & { shopperReference: string },
  at: Temporal.Instant,
): Promise<void> {
  if (!card.storedId) return
  const row = {
    stored_id: card.storedId,
    card_type: card.type,
    last_four: card.lastFour ?? '',
    expiry: card.expiry ?? '',
    holder_name: card.holderName ?? '',
    shopper_reference: shopperReference,
    saved_at: toDate(at),
  }
  await trx
    .insertInto('saved_cards')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet(row).whereRef('saved_cards.saved_at', '<=', 'excluded.saved_at'),
    )
    .execute()
}

/**
 * Moves a saved card from one account to another, unless the other account already has a card. The card keeps its
 * original shopper reference at the gateway.
 */
export async function reassignCard(trx: Trx, fromUserId: string, toUserId: string): Promise<void> {
  const card = await findSavedCard(trx, fromUserId)
  if (!card) return
  const reassignedCard = { ...card, user_id: toUserId, shopper_reference: card.shopper_reference ?? fromUserId }
  await trx
    .insertInto('saved_cards')
    .values(reassignedCard)
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute()
}

/**
 * Deletes and returns a customer's card. If `lockSavedCards` has locked the card's row for a charge, this function waits until the charge
 * has been committed.
 */
export const deleteSavedCard = (trx: Trx, userId: string): Promise<SavedCard | undefined> =>
  trx.deleteFrom('saved_cards').where('user_id', '=', userId).returningAll().executeTakeFirst()

/**
 * Locks the saved cards of accounts that are about to be charged, until the transaction that records the charges ends.
 * Returns the cards by account. Locks rows in order of account ID, which avoids deadlocks.
 */
export async function lockSavedCards(trx: Trx, userIds: readonly string[]): Promise<Map<string, SavedCard>> {
  if (userIds.length === 0) return new Map()
  const rows = await trx
    .selectFrom('saved_cards')
    .selectAll()
    .where('user_id', '=', sql<string>`any(${userIds}::uuid[])`)
    .orderBy('user_id')
    .forKeyShare()
    .execute()
  return new Map(rows.map((row) => [row.user_id, row]))
}

export async function isCardSaved(db: Db, storedId: string): Promise<boolean> {
  const row = await db.selectFrom('saved_cards').select('user_id').where('stored_id', '=', storedId).executeTakeFirst()
  return row !== undefined
}

export const findSavedCard = (db: Db | Trx, userId: string): Promise<SavedCard | undefined> =>
  savedCardQuery(db, userId).executeTakeFirst()

export const savedCardQueryPart = (db: Db, userId: Value) => queryPart(savedCardQuery(db, userId), { saved_at: true })

export const savedCardsQueryPart = (db: Db, userIds: Ids) =>
  queryPart(
    db
      .selectFrom('saved_cards')
      .selectAll()
      .where('user_id', ...inIds(userIds)),
    { saved_at: true },
  )

export async function findSavedCards(trx: Trx, userIds: readonly string[]): Promise<Map<string, SavedCard>> {
  const rows = await trx
    .selectFrom('saved_cards')
    .selectAll()
    .where('user_id', '=', sql<string>`any(${userIds}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.user_id, row]))
}

const savedCardQuery = (db: Db | Trx, userId: Value) =>
  db.selectFrom('saved_cards').selectAll().where('user_id', '=', userId)
