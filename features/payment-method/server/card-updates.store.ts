import { randomBytes, randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { mover } from '#kit/server/move.ts'
import type { Seals } from '#kit/server/reseal.ts'
import { type Retries, retryNow } from '#kit/server/retries.ts'
import type { paymentMethodMessages } from '../payment-method.contract.ts'
import { type CardUpdateState, cardUpdateTransitions, isOver } from '../payment-method.states.ts'

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
  resolve_by: Date
  retry_at: Date | null
}
export type CardUpdate = Selectable<CardUpdateTable>

/** Why no card was stored, by the sentence that says so. */
export type Failure = Extract<
  keyof typeof paymentMethodMessages,
  'declined' | 'unreadable' | 'unconfirmed' | 'card_type'
>

/** After this an update without an outcome is cancelled by reference; the whole matter is resolved within 2 minutes. */
const resolveSeconds = 75

/** The gateway answers in less than the lease or not at all. */
export const cardUpdateRetries: Retries = {
  queue: 'payment-method.resolve',
  table: 'card_updates',
  key: 'id',
  leaseSeconds: 10,
}
export const cardUpdateSeals: Seals = { table: 'card_updates', key: 'id', column: 'sealed_card' }

/** Commits what is about to be asked for; the caller has the first lease. Undefined when the key has been used before. */
export function insertCardUpdate(
  trx: Trx,
  update: { userId: string; requestKey: string; sealedCard: string; askedAt: Temporal.Instant },
): Promise<CardUpdate | undefined> {
  const now = realNow()
  return trx
    .insertInto('card_updates')
    .values({
      id: randomUUID(),
      user_id: update.userId,
      request_key: update.requestKey,
      reference: `CU${randomBytes(6).toString('hex').toUpperCase()}-1`,
      idempotency_key: randomUUID(),
      state: 'initiated',
      sealed_card: update.sealedCard,
      asked_at: toDate(update.askedAt),
      created_at: toDate(now),
      resolve_by: toDate(now.add({ seconds: resolveSeconds })),
      retry_at: toDate(now.add({ seconds: cardUpdateRetries.leaseSeconds })),
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'request_key']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export const findCardUpdate = (db: Db, id: string): Promise<CardUpdate | undefined> =>
  db.selectFrom('card_updates').selectAll().where('id', '=', id).executeTakeFirst()

/** The update that the same key of the same customer began before. */
export const findCardUpdateByKey = (db: Db, userId: string, requestKey: string): Promise<CardUpdate | undefined> =>
  db
    .selectFrom('card_updates')
    .selectAll()
    .where('user_id', '=', userId)
    .where('request_key', '=', requestKey)
    .executeTakeFirst()

/** Has an update take an event. The card goes with the outcome. Null when another worker was first. */
export const moveCardUpdate = mover({
  table: 'card_updates',
  transitions: cardUpdateTransitions,
  asRead: ['id'],
  also: (to) => (isOver(to) ? { sealed_card: null, retry_at: null } : {}),
})

/** Whether a reference is an update's; one in doubt is asked about at once. */
export async function retryCardUpdateNow(db: Db, reference: string): Promise<boolean> {
  const [, ours] = /^(CU[\dA-F]{12}-1)(?:-cancel)?$/.exec(reference) ?? []
  if (!ours) return false
  await retryNow(db, cardUpdateRetries, { reference: ours, state: 'unknown' })
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

/** Every card that a customer has asked to be kept; none is under way. */
export async function deleteCardUpdatesOf(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('card_updates').where('user_id', '=', userId).execute()
}
