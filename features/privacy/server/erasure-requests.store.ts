import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { fromDate, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { createStateTransition } from '#kit/server/state-transition.ts'
import { hashToken, generateToken } from '#kit/server/secrets.ts'
import { type ErasureRequestState, erasureRequestTransitions } from '../erasure-requests.states.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    erasure_requests: ErasureRequestTable
    erasure_links: { token_hash: string; request_id: string }
  }
}

type ErasureRequestTable = {
  id: string
  user_id: string
  state: ErasureRequestState
  asked_at: Date
  due_at: Date | null
  /**
   * When an obstacle first postponed the erasure; `null` if none has. Waiting briefly for another operation does not
   * count.
   */
  put_off_at: Date | null
  ended_at: Date | null
}
export type ErasureRequest = Selectable<ErasureRequestTable>

/** Records an erasure request. The times come from the application's clock. The caller must have locked the customer. */
export const insertErasureRequest = (
  trx: Trx,
  userId: string,
  { askedAt, dueAt }: Record<'askedAt' | 'dueAt', Temporal.Instant>,
): Promise<ErasureRequest> =>
  trx
    .insertInto('erasure_requests')
    .values({
      id: randomUUID(),
      user_id: userId,
      state: 'waiting',
      asked_at: toDate(askedAt),
      due_at: toDate(dueAt),
      put_off_at: null,
      ended_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()

export const findPendingErasure = (db: Db | Trx, userId: string): Promise<ErasureRequest | undefined> =>
  db
    .selectFrom('erasure_requests')
    .selectAll()
    .where('user_id', '=', userId)
    .where('state', '=', 'waiting')
    .executeTakeFirst()

export async function findErasureRequesters(db: Db | Trx, userIds: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('erasure_requests')
    .select('user_id')
    .where('user_id', '=', sql<string>`any(${userIds}::uuid[])`)
    .where('state', '=', 'waiting')
    .execute()
  return new Set(rows.map((row) => row.user_id))
}

export const findErasureRequest = (db: Db | Trx, id: string): Promise<ErasureRequest | undefined> =>
  db.selectFrom('erasure_requests').selectAll().where('id', '=', id).executeTakeFirst()

export const transitionErasureRequest = createStateTransition({
  table: 'erasure_requests',
  transitions: erasureRequestTransitions,
  asRead: ['id'],
  also: (to) => (to === 'called_off' ? { due_at: null } : {}),
})

export async function issueErasureLink(trx: Trx, requestId: string): Promise<string> {
  const token = generateToken()
  await trx
    .insertInto('erasure_links')
    .values({ token_hash: hashToken(token), request_id: requestId })
    .execute()
  return token
}

export const findErasureByLink = (db: Db | Trx, token: string): Promise<ErasureRequest | undefined> =>
  db
    .selectFrom('erasure_requests')
    .innerJoin('erasure_links', 'erasure_links.request_id', 'erasure_requests.id')
    .selectAll('erasure_requests')
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst()

export async function listDueErasures(db: Db, now: Temporal.Instant, limit = 20): Promise<string[]> {
  const rows = await db
    .selectFrom('erasure_requests')
    .select('id')
    .where('due_at', '<=', toDate(now))
    .orderBy('due_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export async function findNextDueErasure(db: Db): Promise<Temporal.Instant | null> {
  const row = await db
    .selectFrom('erasure_requests')
    .select('due_at')
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at ? fromDate(row.due_at) : null
}

export async function deleteErasureRequests(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('erasure_requests').where('user_id', '=', userId).execute()
}
