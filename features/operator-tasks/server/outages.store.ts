import { sql } from 'kysely'
import { toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { ExternalService } from '#kit/server/external-calls.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    outages: {
      service: ExternalService
      failing_since: Date | null
      last_failure_at: Date
      failures: number
      why: string
    }
  }
}

export type EndedOutage = { ms: number; why: string }

export type Outage = { service: ExternalService; failing_since: Date; last_failure_at: Date; failures: number }

type ServiceFailureRecord = {
  service: ExternalService
  since: Temporal.Instant
  until: Temporal.Instant
  failures: number
  why: string
}

export async function recordFailures(trx: Trx, serviceFailures: ServiceFailureRecord): Promise<Outage> {
  const { rows } = await sql<Outage>`
    insert into outages as known (service, failing_since, last_failure_at, failures, why)
    values (${serviceFailures.service}, ${toDate(serviceFailures.since)},
      ${toDate(serviceFailures.until)}, ${serviceFailures.failures}, ${serviceFailures.why})
    on conflict (service) do update set
      failing_since = coalesce(known.failing_since, excluded.failing_since),
      last_failure_at = greatest(known.last_failure_at, excluded.last_failure_at),
      failures = excluded.failures + case when known.failing_since is null then 0 else known.failures end,
      why = excluded.why
    returning service, failing_since, last_failure_at, failures`.execute(trx)
  if (!rows[0]) throw new Error('an inserted row was not returned')
  return rows[0]
}

/** Ends a service's outage. Returns null if there is no outage, or if another process recorded a failure after `at`. */
export async function endOutage(trx: Trx, service: ExternalService, at: Temporal.Instant): Promise<EndedOutage | null> {
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
