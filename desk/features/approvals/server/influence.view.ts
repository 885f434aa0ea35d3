import { sql } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'

const influenceWindowDays = 7

/**
 * Finds the staff who are under the influence of the same colleague as this person, and maps their ids to that
 * colleague's name. Staff have influence over themselves, and over anyone whose invitation or roles they requested, if
 * these took effect in the last 7 days. Influence is transitive.
 */
export async function findSharedInfluences(db: Db, personId: string): Promise<Map<string, string>> {
  const since = toDate(realNow().subtract({ hours: 24 * influenceWindowDays }))
  const { rows } = await sql<{ id: string; name: string }>`
    with recursive grants as materialized (
      select staff.id as to_id, approvals.asked_by as by_id
      from approvals join staff on staff.email = approvals.subject
      where approvals.kind = 'staff' and approvals.decision = 'approved' and approvals.decided_at > ${since}
    ), above(id) as (
      select ${personId}::uuid
      union
      select grants.by_id from above join grants on grants.to_id = above.id
    ), below(id, by_id) as (
      select id, id from above
      union
      select grants.to_id, below.by_id from below join grants on grants.by_id = below.id
    )
    select below.id, min(staff.name) as name from below join staff on staff.id = below.by_id group by below.id`.execute(
    db,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}
