import { randomBytes, randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { createStateTransition } from '#kit/server/state-transition.ts'
import type { SealedColumn } from '#kit/server/reseal.ts'
import { type RetryQueue, retryNow } from '#kit/server/retry-queue.ts'
import type { paymentMethodMessages } from '../payment-method.contract.ts'
import { type CardUpdateState, cardUpdateTransitions, isCardUpdateOver } from '../payment-method.states.ts'

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
  failure: CardUpdateFailure | null
  asked_at: Date
  created_at: Date
  resolve_by: Date
  retry_at: Date | null
}
export type CardUpdate = Selectable<CardUpdateTable>

export type CardUpdateFailure = Extract<
  keyof typeof paymentMethodMessages,
  'declined' | 'unreadable' | 'unconfirmed' | 'card_type'
>

/**
 * Seconds after which a card update without an outcome is cancelled by its reference. The outcome is normally known
 * within two minutes. If the gateway does not respond to the cancellation, it is retried for up to an hour.
 */
const resolutionTimeoutSeconds = 75

/** A card update's lease must outlast the timeout of a gateway request. */
export const cardUpdateQueue: RetryQueue = {
  queue: 'payment-method.resolve',
  table: 'card_updates',
  key: 'id',
  leaseSeconds: 10,
}
export const sealedCardUpdateColumn: SealedColumn = { table: 'card_updates', key: 'id', column: 'sealed_card' }

/**
 * Inserts a card update that is already leased to the caller. Returns `undefined` if the request key has been used
 * before.
 */
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
      resolve_by: toDate(now.add({ seconds: resolutionTimeoutSeconds })),
      retry_at: toDate(now.add({ seconds: cardUpdateQueue.leaseSeconds })),
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'request_key']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export const findCardUpdate = (db: Db, id: string): Promise<CardUpdate | undefined> =>
  db.selectFrom('card_updates').selectAll().where('id', '=', id).executeTakeFirst()

export const findCardUpdateByKey = (db: Db, userId: string, requestKey: string): Promise<CardUpdate | undefined> =>
  db
    .selectFrom('card_updates')
    .selectAll()
    .where('user_id', '=', userId)
    .where('request_key', '=', requestKey)
    .executeTakeFirst()

/**
 * Moving a card update to a final state also deletes its sealed card. Returns `null` if another worker has changed the
 * update first.
 */
export const transitionCardUpdate = createStateTransition({
  table: 'card_updates',
  transitions: cardUpdateTransitions,
  asRead: ['id'],
  also: (to) => (isCardUpdateOver(to) ? { sealed_card: null, retry_at: null } : {}),
})

/**
 * Returns whether a reference belongs to a card update. If that update is in the state `unknown`, it is retried at
 * once.
 */
export async function retryCardUpdateNow(db: Db, reference: string): Promise<boolean> {
  const [, referenceKey] = /^(CU[\dA-F]{12}-1)(?:-cancel)?$/.exec(reference) ?? []
  if (!referenceKey) return false
  await retryNow(db, cardUpdateQueue, { reference: referenceKey, state: 'unknown' })
  return true
}

/** Deletes every sealed card that is almost an hour old, whatever state its card update is in. */
export async function wipeExpiredSealedCards(db: Db): Promise<void> {
  await db
    .updateTable('card_updates')
    .set({ sealed_card: null })
    .where('sealed_card', 'is not', null)
    .where('created_at', '<', toDate(realNow().subtract({ minutes: 55 })))
    .execute()
}

/** Callers must ensure that the customer has no card update in progress. */
export async function deleteUserCardUpdates(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('card_updates').where('user_id', '=', userId).execute()
}
