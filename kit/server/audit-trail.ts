import { sql } from 'kysely'
import type { AuditEvent } from './audit.ts'
import { toDate } from './clock.ts'
import type { Db } from './db.ts'
import { pageOf, type Place } from './page.ts'

/** An event as the operator reads it. */
export type TrailEvent = Place & {
  event: AuditEvent
  user_id: string | null
  /** `nameOf` an actor; null: the customer. */
  actor: string | null
  details: Record<string, string | number | boolean>
}

const eventsAPage = 100

/** A page of the audit trail, newest first: of a customer, or of all since an instant. */
export async function readTrail(
  db: Db,
  of: { userId: string } | { since: Temporal.Instant },
  before: Place | null,
): Promise<{ rows: TrailEvent[]; next: string | null }> {
  const whose = 'userId' in of ? sql`user_id = ${of.userId}` : sql`at >= ${toDate(of.since)}`
  const { rows } = await sql<TrailEvent>`
    select at, id::text as key, event, user_id, actor, details from audit_events
    where ${whose} ${before ? sql`and (at, id) < (${before.at}, ${before.key}::bigint)` : sql``}
    order by at desc, id desc limit ${eventsAPage + 1}`.execute(db)
  return pageOf(rows, eventsAPage)
}
