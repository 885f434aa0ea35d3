import { sql } from 'kysely'
import type { Db, Trx } from '#kit/server/db.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    pin_tries: { user_id: string; day: string; wrong: number }
  }
}

/** Wrong PINs that an account has in a day. Neither a new PIN nor a new request starts again at none. */
export const triesInADay = 5

/**
 * Counts a try as wrong before its PIN is compared, so that calls at the same time share the five chances.
 * Answers how many there are now, or null when there were five already.
 */
export async function countTry(trx: Trx, userId: string, day: string): Promise<number | null> {
  const row = await trx
    .insertInto('pin_tries')
    .values({ user_id: userId, day, wrong: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'day'])
        .doUpdateSet({ wrong: sql<number>`pin_tries.wrong + 1` })
        .where('pin_tries.wrong', '<', triesInADay),
    )
    .returning('wrong')
    .executeTakeFirst()
  return row?.wrong ?? null
}

/** The PIN was right after all. */
export async function uncountTry(trx: Trx, userId: string, day: string): Promise<void> {
  await trx
    .updateTable('pin_tries')
    .set({ wrong: sql<number>`wrong - 1` })
    .where('user_id', '=', userId)
    .where('day', '=', day)
    .execute()
}

/** How many an account has used of a day's. */
export async function countTries(db: Db, userId: string, day: string): Promise<number> {
  const row = await db
    .selectFrom('pin_tries')
    .select('wrong')
    .where('user_id', '=', userId)
    .where('day', '=', day)
    .executeTakeFirst()
  return row?.wrong ?? 0
}

/** The account has all its tries again. */
export async function clearTries(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('pin_tries').where('user_id', '=', userId).execute()
}

export async function triesUsedUp(db: Db | Trx, userId: string, day: string): Promise<boolean> {
  const row = await db
    .selectFrom('pin_tries')
    .select('wrong')
    .where('user_id', '=', userId)
    .where('day', '=', day)
    .executeTakeFirst()
  return row !== undefined && row.wrong >= triesInADay
}
