import type { Db } from '#kit/server/db.ts'

/** Sets the rate limit that was counted last to `times` requests, as if its owner had already sent that many. */
export async function exhaustNewestLimit(db: Db, times: number): Promise<void> {
  const { key } = await db
    .selectFrom('rate_limits')
    .select('key')
    .orderBy('window_started_at', 'desc')
    .executeTakeFirstOrThrow()
  await db.updateTable('rate_limits').set({ count: times }).where('key', '=', key).execute()
}
