import { type RawBuilder, sql } from 'kysely'
import { toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Place } from '#kit/server/page.ts'
import { type TrailKind, trailKinds } from '../audit.contract.ts'

/** An act or a look of a member of staff, as the two tables keep them. */
export type TrailEntry = Place & {
  of: TrailKind
  what: string
  who: string
  user_id: string | null
  subject: string | null
  /** Of an act, JSON. */
  details: string | null
  reason: string | null
}

/** What is wanted of the trail: all of what is given must fit. */
export type Narrowed = {
  of: TrailKind | null
  person: string | null
  act: string | null
  customer: string | null
  day: { from: Temporal.Instant; to: Temporal.Instant } | null
}
type Wanted = Narrowed & { before: Place | null; limit: number }

const parts: Record<TrailKind, (those: RawBuilder<unknown>) => RawBuilder<unknown>> = {
  acts: (those) => sql`
    select at, 'act:' || lpad(id::text, 20, '0') as key, 'acts' as of, event as what, staff_id, user_id,
      null::text as subject, details::text as details, reason
    from audit_events where staff_id is not null and ${those}`,
  looks: (those) => sql`
    select at, 'look:' || lpad(id::text, 20, '0') as key, 'looks' as of, act as what, staff_id, user_id,
      subject, detail as details, reason
    from access_log where ${those}`,
}

const actColumn: Record<TrailKind, RawBuilder<unknown>> = { acts: sql`event`, looks: sql`act` }

const newestFirst = sql`order by at desc, key collate "C" desc`

/** What staff did and looked at before a place, the newest first. Each part is no longer than the whole, and read by its index. */
export async function listTrail(db: Db, { before, limit, ...narrowed }: Wanted): Promise<TrailEntry[]> {
  const { of } = narrowed
  const behind =
    before === null ? sql`` : sql`where at < ${before.at} or (at = ${before.at} and key collate "C" < ${before.key})`
  const read = (of === null ? trailKinds : [of]).map(
    (kind) =>
      sql`(select * from (${parts[kind](thoseOf(kind, narrowed, before))}) as part ${behind} ${newestFirst} limit ${limit})`,
  )
  const { rows } = await sql<TrailEntry>`
    select trail.*, staff.name as who
    from (select * from (${sql.join(read, sql` union all `)}) as both_parts ${newestFirst} limit ${limit}) as trail
    join staff on staff.id = trail.staff_id
    ${newestFirst}`.execute(db)
  return rows
}

const thoseOf = (
  kind: TrailKind,
  { person, act, customer, day }: Narrowed,
  before: Place | null,
): RawBuilder<unknown> =>
  sql.join(
    [
      sql`true`,
      ...(person === null ? [] : [sql`staff_id = ${person}`]),
      ...(act === null ? [] : [sql`${actColumn[kind]} = ${act}`]),
      ...(customer === null ? [] : [sql`user_id = ${customer}`]),
      ...(day === null ? [] : [sql`at >= ${toDate(day.from)} and at < ${toDate(day.to)}`]),
      // What the index can tell; ties are told apart above.
      ...(before === null ? [] : [sql`at <= ${before.at}`]),
    ],
    sql` and `,
  )
