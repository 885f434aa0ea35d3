import { sql } from 'kysely'
import { type Clock, toDate } from './clock.ts'
import type { Db, Trx } from './db.ts'

declare module './db.ts' {
  interface Tables {
    anonymous_failures: { id?: never; event: string; hour: Date; count: number; first_at: Date; last_at: Date }
  }
}

/** Counts anonymous visitors' failures in one row per event and hour, so that visitors cannot fill the table. */
export async function countAnonymousFailure(db: Db | Trx, clock: Clock, event: string): Promise<void> {
  const now = clock.now()
  const [at, hour] = [toDate(now), toDate(now.round({ smallestUnit: 'hour', roundingMode: 'floor' }))]
  await db
    .insertInto('anonymous_failures')
    .values({ event, hour, count: 1, first_at: at, last_at: at })
    .onConflict((conflict) =>
      conflict.columns(['event', 'hour']).doUpdateSet({
        count: sql`anonymous_failures.count + 1`,
        last_at: sql`greatest(anonymous_failures.last_at, excluded.last_at)`,
      }),
    )
    .execute()
}
