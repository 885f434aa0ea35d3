import { type Selectable, sql } from 'kysely'
import { toDate } from '#kit/server/clock.ts'
import type { Db, Tables, Trx } from '#kit/server/db.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    caller_checks: {
      user_id: string
      staff_id: string
      pin_id: string
      /** The stored hash is empty if no PIN is pending. */
      pin_hash: string
      sent_by: 'text' | 'mail'
      sent_to: string
      expires_at: Date
      tries: number
      verified_at: Date | null
    }
  }
}
export type CallerCheck = Selectable<Tables['caller_checks']>

export type CallerCheckKey = { userId: string; staffId: string }

export const maxPinTries = 5

export const findCallerCheck = (db: Db | Trx, { userId, staffId }: CallerCheckKey): Promise<CallerCheck | undefined> =>
  db
    .selectFrom('caller_checks')
    .selectAll()
    .where('user_id', '=', userId)
    .where('staff_id', '=', staffId)
    .executeTakeFirst()

type NewPin = Pick<CallerCheck, 'pin_id' | 'pin_hash' | 'sent_by' | 'sent_to' | 'expires_at'>

/** Stores a new PIN for the caller, replacing any pending one. A caller who is already verified stays verified. */
export async function saveCallerPin(trx: Trx, { userId, staffId }: CallerCheckKey, pin: NewPin): Promise<void> {
  const fresh = { ...pin, tries: 0 }
  await trx
    .insertInto('caller_checks')
    .values({ user_id: userId, staff_id: staffId, ...fresh, verified_at: null })
    .onConflict((conflict) => conflict.columns(['user_id', 'staff_id']).doUpdateSet(fresh))
    .execute()
}

/**
 * Counts a try before its PIN is compared, so that concurrent requests share the five tries. Returns the pending
 * check's row, locked until the transaction ends, or `undefined` if no PIN is pending.
 */
export const countPinAttempt = (
  trx: Trx,
  { userId, staffId }: CallerCheckKey,
  now: Temporal.Instant,
): Promise<CallerCheck | undefined> =>
  trx
    .updateTable('caller_checks')
    .set({ tries: sql<number>`tries + 1` })
    .where('user_id', '=', userId)
    .where('staff_id', '=', staffId)
    .where('pin_hash', '!=', '')
    .where('expires_at', '>', toDate(now))
    .where('tries', '<', maxPinTries)
    .returningAll()
    .executeTakeFirst()

/** Marks the caller as verified and clears the PIN, so that the PIN cannot be used twice. */
export async function markCallerVerified(
  trx: Trx,
  { userId, staffId }: CallerCheckKey,
  at: Temporal.Instant,
): Promise<void> {
  await trx
    .updateTable('caller_checks')
    .set({ pin_hash: '', verified_at: toDate(at) })
    .where('user_id', '=', userId)
    .where('staff_id', '=', staffId)
    .execute()
}

export async function deleteCallerChecks(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('caller_checks').where('user_id', '=', userId).execute()
}
