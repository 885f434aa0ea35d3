import type { Selectable } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { createStateTransition } from '#kit/server/state-transition.ts'
import type { RetryQueue } from '#kit/server/retry-queue.ts'
import { type ErasureState, erasureTransitions } from '../erasures.states.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    erasures: ErasureTable
  }
}

type ErasureTable = {
  user_id: string
  state: ErasureState
  listed_at: Date | null
  created_at: Date
  ended_at: Date | null
  retry_at: Date | null
  tries: number
}
export type Erasure = Selectable<ErasureTable>

export const erasureQueue: RetryQueue = {
  queue: 'customers.erase',
  table: 'erasures',
  key: 'user_id',
  leaseSeconds: 10,
}

export async function insertErasure(trx: Trx, userId: string, at: Temporal.Instant): Promise<void> {
  await trx
    .insertInto('erasures')
    .values({
      user_id: userId,
      state: 'initiated',
      listed_at: null,
      created_at: toDate(at),
      ended_at: null,
      retry_at: toDate(realNow().add({ seconds: erasureQueue.leaseSeconds })),
      tries: 0,
    })
    .execute()
}

export const findErasure = (db: Db, userId: string): Promise<Erasure | undefined> =>
  db.selectFrom('erasures').selectAll().where('user_id', '=', userId).executeTakeFirst()

export const findErasureRequest = (db: Db, userId: string) =>
  db
    .selectFrom('erasure_requests')
    .select(['asked_at', 'due_at', 'put_off_at'])
    .where('user_id', '=', userId)
    .where('state', '=', 'waiting')
    .executeTakeFirst()

export async function markAddedToErasureList(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('erasures')
    .set({ listed_at: toDate(realNow()) })
    .where('user_id', '=', userId)
    .execute()
}

export const transitionErasure = createStateTransition({
  table: 'erasures',
  transitions: erasureTransitions,
  asRead: ['user_id'],
  also: () => ({ retry_at: null }),
})

/**
 * Whether the gateway has yet to confirm that a customer's card has been deleted. The gateway identifies the cardholder by
 * the customer's id or by an order's id.
 */
export async function hasPendingCardRemovals(db: Db, userId: string): Promise<boolean> {
  const orders = await db.selectFrom('orders').select('id').where('user_id', '=', userId).execute()
  const row = await db
    .selectFrom('card_removals')
    .select('id')
    .where('shopper_reference', 'in', [userId, ...orders.map(({ id }) => id)])
    .where('state', '=', 'initiated')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
