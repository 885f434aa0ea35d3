import { sql } from 'kysely'
import type { Db, Trx } from '#kit/server/db.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    pin_tries: { user_id: string; day: string; wrong: number }
  }
}

/** Maximum wrong PINs per account and day. Neither a new PIN nor a new email change resets the count. */
export const maxPinAttemptsPerDay = 5

/**
 * Counts an attempt before the PIN is checked, so that concurrent requests share the five attempts. Returns the new
 * count, or `null` when all five attempts were already used.
 */
export async function countPinAttempt(trx: Trx, userId: string, day: string): Promise<number | null> {
  const row = await trx
    .insertInto('pin_tries')
    .values({ user_id: userId, day, wrong: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'day'])
        .doUpdateSet({ wrong: sql<number>`pin_tries.wrong + 1` })
        .where('pin_tries.wrong', '<', maxPinAttemptsPerDay),
    )
    .returning('wrong')
    .executeTakeFirst()
  return row?.wrong ?? null
}

export async function undoPinAttemptCount(trx: Trx, userId: string, day: string): Promise<void> {
  await trx
    .updateTable('pin_tries')
    .set({ wrong: sql<number>`wrong - 1` })
    .where('user_id', '=', userId)
    .where('day', '=', day)
    .execute()
}

export async function readWrongPinCount(db: Db, userId: string, day: string): Promise<number> {
  const row = await db
    .selectFrom('pin_tries')
    .select('wrong')
    .where('user_id', '=', userId)
    .where('day', '=', day)
    .executeTakeFirst()
  return row?.wrong ?? 0
}

export async function clearPinAttempts(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('pin_tries').where('user_id', '=', userId).execute()
}

export async function hasUsedUpPinAttempts(db: Db | Trx, userId: string, day: string): Promise<boolean> {
  const row = await db
    .selectFrom('pin_tries')
    .select('wrong')
    .where('user_id', '=', userId)
    .where('day', '=', day)
    .executeTakeFirst()
  return row !== undefined && row.wrong >= maxPinAttemptsPerDay
}
