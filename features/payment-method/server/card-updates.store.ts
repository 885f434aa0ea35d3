import { randomBytes, randomUUID } from 'node:crypto'
import type { Selectable, Updateable } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { paymentMethodMessages } from '../payment-method.contract.ts'
import { type CardUpdateEvent, type CardUpdateState, isOver, movesOf } from '../payment-method.states.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    card_updates: CardUpdateTable
  }
}

type CardUpdateTable = {
  id: string
  user_id: string
  request_key: string
  reference: string
  idempotency_key: string
  state: CardUpdateState
  sealed_card: string | null
  psp_reference: string | null
  refusal: string | null
  failure: Failure | null
  asked_at: Date
  created_at: Date
  settle_by: Date
  wake_at: Date | null
}
export type CardUpdate = Selectable<CardUpdateTable>

/** Why no card was stored, by the sentence that says so. */
export type Failure = Extract<keyof typeof paymentMethodMessages, 'declined' | 'unreadable' | 'unconfirmed'>

/** After this an update without an outcome is cancelled by reference; the whole matter is settled within 2 minutes. */
const settleSeconds = 75

/** Whoever has the turn asks the gateway, which answers in less than this or not at all. */
const turnSeconds = 10

/** Commits what is about to be asked for; the caller has the first turn. Undefined when the key has been used before. */
export function insertCardUpdate(trx: Trx, update: { userId: string; requestKey: string; sealedCard: string; askedAt: Temporal.Instant }): Promise<CardUpdate | undefined> {
  const now = realNow()
  return trx
    .insertInto('card_updates')
    .values({
      id: randomUUID(),
      user_id: update.userId,
      request_key: update.requestKey,
      reference: `CU${randomBytes(6).toString('hex').toUpperCase()}-1`,
      idempotency_key: randomUUID(),
      state: 'sent',
      sealed_card: update.sealedCard,
      asked_at: toDate(update.askedAt),
      created_at: toDate(now),
      settle_by: toDate(now.add({ seconds: settleSeconds })),
      wake_at: toDate(now.add({ seconds: turnSeconds })),
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'request_key']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export const findCardUpdate = (db: Db, id: string): Promise<CardUpdate | undefined> =>
  db.selectFrom('card_updates').selectAll().where('id', '=', id).executeTakeFirst()

/** The update that the same key of the same customer began before. */
export const findCardUpdateByKey = (db: Db, userId: string, requestKey: string): Promise<CardUpdate | undefined> =>
  db.selectFrom('card_updates').selectAll().where('user_id', '=', userId).where('request_key', '=', requestKey).executeTakeFirst()

/**
 * The one place where the state of an update changes: a compare-and-set from wherever the event may come. The card goes
 * with the outcome. False when somebody else has written one down before.
 */
export async function moveCardUpdate(db: Db | Trx, id: string, event: CardUpdateEvent, patch: Omit<Updateable<CardUpdateTable>, 'state'> = {}): Promise<boolean> {
  const { from, to } = movesOf(event)
  const result = await db
    .updateTable('card_updates')
    .set({ ...patch, state: to, ...(isOver(to) && { sealed_card: null, wake_at: null }) })
    .where('id', '=', id)
    .where('state', 'in', from)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Takes the turn to ask about an update; undefined while somebody else has it, or its time has not come. */
export function takeTurn(db: Db, id: string): Promise<CardUpdate | undefined> {
  const now = realNow()
  return db
    .updateTable('card_updates')
    .set({ wake_at: toDate(now.add({ seconds: turnSeconds })) })
    .where('id', '=', id)
    .where('wake_at', '<=', toDate(now))
    .returningAll()
    .executeTakeFirst()
}

/** Takes the turn for every update whose time has come. */
export async function takeTurnsDue(trx: Trx, limit = 50): Promise<string[]> {
  const now = realNow()
  const rows = await trx
    .updateTable('card_updates')
    .set({ wake_at: toDate(now.add({ seconds: turnSeconds })) })
    .where('id', 'in', (from) =>
      from.selectFrom('card_updates').select('id').where('wake_at', '<=', toDate(now)).orderBy('wake_at').limit(limit).forUpdate().skipLocked(),
    )
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

/** A lone process that starts knows that nobody has a turn. */
export async function dropAllTurns(db: Db): Promise<void> {
  const now = toDate(realNow())
  await db.updateTable('card_updates').set({ wake_at: now }).where('wake_at', '>', now).execute()
}

/** Whether a reference is an update's; one in doubt is asked about at once. */
export async function hurryCardUpdate(db: Db, reference: string): Promise<boolean> {
  const [, ours] = /^(CU[\dA-F]{12}-1)(?:-cancel)?$/.exec(reference) ?? []
  if (!ours) return false
  const now = toDate(realNow())
  await db.updateTable('card_updates').set({ wake_at: now }).where('reference', '=', ours).where('state', '=', 'unknown').where('wake_at', '>', now).execute()
  return true
}

/** Whatever happens, an encrypted card is gone in an hour. */
export async function wipeOldUpdateCards(db: Db): Promise<void> {
  await db
    .updateTable('card_updates')
    .set({ sealed_card: null })
    .where('sealed_card', 'is not', null)
    .where('created_at', '<', toDate(realNow().subtract({ minutes: 55 })))
    .execute()
}
