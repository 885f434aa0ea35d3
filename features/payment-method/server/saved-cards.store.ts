import { type Selectable, sql } from 'kysely'
import { toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { among, type Ids, question, type Value } from '#kit/server/read-together.ts'
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
  /** Under which name the gateway knows its holder; a charge must use the same. Null: the user's id. */
  shopper_reference: string | null
  saved_at: Date
}
export type SavedCard = Selectable<SavedCardTable>

/**
 * Keeps a card for later payments; a new one replaces the old. A card that the gateway did not store is not kept, and
 * neither is one from before the card that is there: `at`, on the product's clock, says which is newer.
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
 * The card of one account becomes another's, unless that has one. The gateway goes on knowing its holder by the name
 * it was stored under.
 */
export async function reassignCard(trx: Trx, fromUserId: string, toUserId: string): Promise<void> {
  const card = await findSavedCard(trx, fromUserId)
  if (!card) return
  const moved = { ...card, user_id: toUserId, shopper_reference: card.shopper_reference ?? fromUserId }
  await trx
    .insertInto('saved_cards')
    .values(moved)
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute()
}

/** Takes a customer's card away, and answers which it was. A charge that is just being written down has its turn before. */
export const deleteSavedCard = (trx: Trx, userId: string): Promise<SavedCard | undefined> =>
  trx.deleteFrom('saved_cards').where('user_id', '=', userId).returningAll().executeTakeFirst()

/**
 * The cards of these accounts, by the account, which are about to be charged. They are there until the transaction ends, in which the
 * charges are written down. In one order, so that no two who lock cards of the same customers wait for each other.
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

/** Whether anybody has this card of the gateway's. */
export async function isSaved(db: Db, storedId: string): Promise<boolean> {
  const row = await db.selectFrom('saved_cards').select('user_id').where('stored_id', '=', storedId).executeTakeFirst()
  return row !== undefined
}

export const findSavedCard = (db: Db | Trx, userId: string): Promise<SavedCard | undefined> =>
  savedCardOf(db, userId).executeTakeFirst()

/** The same, asked beside other things. */
export const savedCardAsked = (db: Db, userId: Value) => question(savedCardOf(db, userId), { saved_at: true })

/** Those of these accounts. */
export const savedCardsAsked = (db: Db, userIds: Ids) =>
  question(
    db
      .selectFrom('saved_cards')
      .selectAll()
      .where('user_id', ...among(userIds)),
    { saved_at: true },
  )

/** The cards of these accounts, by the account. */
export async function findSavedCards(trx: Trx, userIds: readonly string[]): Promise<Map<string, SavedCard>> {
  const rows = await trx
    .selectFrom('saved_cards')
    .selectAll()
    .where('user_id', '=', sql<string>`any(${userIds}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.user_id, row]))
}

const savedCardOf = (db: Db | Trx, userId: Value) =>
  db.selectFrom('saved_cards').selectAll().where('user_id', '=', userId)
