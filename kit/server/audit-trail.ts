import { sql } from 'kysely'
import type { AuditEvent } from './audit.ts'
import { toDate } from './clock.ts'
import type { Db } from './db.ts'
import { paginateRows, type PagePosition } from './pagination.ts'

export type AuditTrailEvent = PagePosition & {
  event: AuditEvent
  user_id: string | null
  actor: string | null
  details: Record<string, string | number | boolean>
}

const eventsPerPage = 100

/** Offset added to the ids of hourly counts, so that they never equal the ids of events. */
const hourlyCountIdOffset = 900_000_000_000_000_000n

/**
 * Reads one page of the audit trail, newest first, for one customer or for everyone since a given instant. Anonymous failures are counted
 * per hour and listed at the time of the hour's first failure.
 */
export async function readAuditTrail(
  db: Db,
  of: { userId: string } | { since: Temporal.Instant },
  before: PagePosition | null,
): Promise<{ rows: AuditTrailEvent[]; next: string | null }> {
  const eventFilter = 'userId' in of ? sql`user_id = ${of.userId}` : sql`at >= ${toDate(of.since)}`
  const { rows } = await sql<AuditTrailEvent>`
    select at, id::text as key, event, user_id, actor, details from (
      select at, id, event, user_id, actor, details from audit_events where ${eventFilter}
      ${'userId' in of ? sql`` : sql`union all ${failureCountsQuery(of.since)}`}
    ) as trail
    ${before ? sql`where (at, id) < (${before.at}, ${before.key}::bigint)` : sql``}
    order by at desc, id desc limit ${eventsPerPage + 1}`.execute(db)
  return paginateRows(rows, eventsPerPage)
}

const failureCountsQuery = (since: Temporal.Instant) => sql`
  select first_at, id + ${hourlyCountIdOffset}::bigint, event, null::uuid, null::text,
    jsonb_build_object('times', count, 'until', to_char(last_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
  from anonymous_failures where last_at >= ${toDate(since)}`
