import { sql } from 'kysely'
import { toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { PortingStatus } from '#features/porting/porting.states.ts'

/** What came of the transfers of so many days. */
export const donorDays = 90

export type DonorRow = { status: PortingStatus; code: string | null; times: number }

/** How transfers from one provider ended that were asked for of late, by the code of the network, and what half of those that came took. */
export async function readDonor(
  db: Db,
  providerId: string,
  now: Temporal.Instant,
): Promise<{ rows: DonorRow[]; medianSeconds: number | null }> {
  const since = toDate(now.subtract({ hours: 24 * donorDays }))
  const rows = await db
    .selectFrom('porting_requests')
    .select(({ fn }) => ['status', 'failure_code as code', fn.countAll().as('times')])
    .where('provider_id', '=', providerId)
    .where('created_at', '>=', since)
    .groupBy(['status', 'failure_code'])
    .execute()
  const took = await db
    .selectFrom('porting_requests')
    .select(
      sql<number | null>`percentile_cont(0.5) within group (order by extract(epoch from ended_at - created_at))`.as(
        'median',
      ),
    )
    .where('provider_id', '=', providerId)
    .where('created_at', '>=', since)
    .where('status', '=', 'COMPLETED')
    .executeTakeFirst()
  const median = took?.median ?? null
  return {
    rows: rows.map(({ times, ...row }) => ({ ...row, times: Number(times) })),
    medianSeconds: median === null ? null : Math.round(median),
  }
}
