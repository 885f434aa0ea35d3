import { sql } from 'kysely'
import { toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { OutsideService } from '#kit/server/outside-calls.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    outages: {
      service: OutsideService
      failing_since: Date | null
      last_failure_at: Date
      failures: number
      why: string
    }
  }
}

export type EndedOutage = { ms: number; why: string }

export type Outage = { service: OutsideService; failing_since: Date; last_failure_at: Date; failures: number }

type Failures = {
  service: OutsideService
  since: Temporal.Instant
  until: Temporal.Instant
  failures: number
  why: string
}

export async function noteFailures(trx: Trx, failed: Failures): Promise<Outage> {
  const { rows } = await sql<Outage>`
    insert into outages as known (service, failing_since, last_failure_at, failures, why)
    values (${failed.service}, ${toDate(failed.since)}, ${toDate(failed.until)}, ${failed.failures}, ${failed.why})
    on conflict (service) do update set
      failing_since = coalesce(known.failing_since, excluded.failing_since),
      last_failure_at = greatest(known.last_failure_at, excluded.last_failure_at),
      failures = excluded.failures + case when known.failing_since is null then 0 else known.failures end,
      why = excluded.why
    returning service, failing_since, last_failure_at, failures`.execute(trx)
  if (!rows[0]) throw new Error('a row that was written is not there')
  return rows[0]
}

/** Returns null when there is no outage, or when the outage goes on because another process met a later failure. */
export async function endOutage(trx: Trx, service: OutsideService, at: Temporal.Instant): Promise<EndedOutage | null> {
  const outage = await trx
    .selectFrom('outages')
    .select(['failing_since', 'last_failure_at', 'why'])
    .where('service', '=', service)
    .where('failing_since', 'is not', null)
    .where('last_failure_at', '<=', toDate(at))
    .forUpdate()
    .executeTakeFirst()
  if (!outage?.failing_since) return null
  await trx.updateTable('outages').set({ failing_since: null }).where('service', '=', service).execute()
  return { ms: outage.last_failure_at.getTime() - outage.failing_since.getTime(), why: outage.why }
}

export const listOutages = (db: Db) =>
  db.selectFrom('outages').selectAll().where('failing_since', 'is not', null).orderBy('service').execute()
