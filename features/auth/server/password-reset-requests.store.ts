import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { SealedColumn } from '#kit/server/reseal.ts'
import type { RetryQueue } from '#kit/server/retry-queue.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    password_reset_requests: ResetRequestTable
  }
}

/** The email address is encrypted, so that the table does not reveal who has requested a password reset. */
type ResetRequestTable = {
  id: string
  sealed_email: string
  /** The page to open after the reset. Encrypted, because the path may contain a voucher code. */
  sealed_next: string
  session_id: string | null
  created_at: Date
  /** When to try next; `null` once the last attempt has failed. */
  retry_at: Date | null
  tries: number
}
export type ResetRequestRow = Selectable<ResetRequestTable>

export const resetRequestQueue: RetryQueue = {
  queue: 'auth.password-reset',
  table: 'password_reset_requests',
  key: 'id',
  leaseSeconds: 15,
  countsFailures: true,
  maxTries: 20,
}
export const sealedResetRequestColumns: SealedColumn[] = ['sealed_email', 'sealed_next'].map((column) => ({
  table: 'password_reset_requests',
  key: 'id',
  column,
}))

/**
 * Stores a row for every requested address, so that the response time does not reveal which addresses have an account.
 */
export async function insertResetRequest(
  db: Db | Trx,
  request: Pick<ResetRequestRow, 'sealed_email' | 'sealed_next' | 'session_id'>,
  id: string = randomUUID(),
): Promise<string> {
  const now = realNow()
  await db
    .insertInto('password_reset_requests')
    .values({
      ...request,
      id,
      created_at: toDate(now),
      retry_at: toDate(now.add({ seconds: resetRequestQueue.leaseSeconds })),
      tries: 0,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return id
}

export const consumeResetRequest = (trx: Trx, id: string): Promise<ResetRequestRow | undefined> =>
  trx.deleteFrom('password_reset_requests').where('id', '=', id).returningAll().executeTakeFirst()

export async function purgeResetRequests(db: Db): Promise<void> {
  const dayAgo = toDate(realNow().subtract({ hours: 24 }))
  await db.deleteFrom('password_reset_requests').where('created_at', '<', dayAgo).execute()
}
