import { sql } from 'kysely'
import { toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { ExternalService } from '#kit/server/external-calls.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    /** The results of all requests to a provider in one minute of real time, added up across all processes. */
    provider_minutes: {
      minute: Date
      provider: ExternalService
      ok: number
      failed: number
      slow: number
      p95_ms: number
    }
  }
}

export type ProviderMinuteStats = {
  minute: Temporal.Instant
  provider: ExternalService
  ok: number
  failed: number
  slow: number
  p95Ms: number
}

export async function upsertProviderMinuteStats(db: Db, minutes: ProviderMinuteStats[]): Promise<void> {
  if (minutes.length === 0) return
  await db
    .insertInto('provider_minutes')
    .values(
      minutes.map(({ minute, provider, ok, failed, slow, p95Ms }) => ({
        minute: toDate(minute),
        provider,
        ok,
        failed,
        slow,
        p95_ms: p95Ms,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['minute', 'provider']).doUpdateSet({
        ok: sql<number>`provider_minutes.ok + excluded.ok`,
        failed: sql<number>`provider_minutes.failed + excluded.failed`,
        slow: sql<number>`provider_minutes.slow + excluded.slow`,
        p95_ms: sql<number>`greatest(provider_minutes.p95_ms, excluded.p95_ms)`,
      }),
    )
    .execute()
}

export const purgeProviderMinuteStats = async (db: Db, before: Temporal.Instant): Promise<void> =>
  void (await db.deleteFrom('provider_minutes').where('minute', '<', toDate(before)).execute())
