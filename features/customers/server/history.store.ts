import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#kit/server/db.ts'
import type { Place } from '#kit/server/page.ts'

/** One thing that happened to a customer, in the words of the table that has it. */
export type Happened = Place & {
  of: 'order' | 'refund' | 'dispute' | 'gateway' | 'number' | 'transfer' | 'message' | 'act'
  /** What became of it. */
  what: string
  detail: string
  cents: number | null
  /** By which it is named elsewhere: an order's code, a message's id. */
  ref: string | null
  /** Who did it, where it was not the customer. */
  actor: string | null
}

/** What the gateway tells of every order; all else that it tells is something to know about a customer. */
const everyday = ['AUTHORISATION', 'CAPTURE', 'REFUND', 'CANCELLATION', 'TECHNICAL_CANCEL', 'RECURRING_CONTRACT']

/**
 * What happened to a customer before a place, newest first, at most `limit`: a page of everything, and each of its parts is no
 * longer than a page.
 */
export async function listHappened(
  db: Db,
  userId: string,
  { before, limit }: { before: Place | null; limit: number },
): Promise<Happened[]> {
  const parts = partsOf(userId).map(
    (part) => sql`(select * from (${part}) as part ${behind(before)} ${newestFirst} limit ${limit})`,
  )
  const { rows } = await sql<Happened>`
    select * from (${sql.join(parts, sql` union all `)}) as happened ${newestFirst} limit ${limit}`.execute(db)
  return rows
}

const newestFirst = sql`order by at desc, key collate "C" desc`

const behind = (place: Place | null): RawBuilder<unknown> =>
  place ? sql`where at <= ${place.at} and (at < ${place.at} or key collate "C" < ${place.key})` : sql``

const partsOf = (userId: string): RawBuilder<unknown>[] => [
  sql`select created_at as at, 'order:' || id as key, 'order' as of, kind || ' ' || state as what,
      product ->> 'title' as detail, amount_cents as cents, order_code as ref, null as actor
    from orders where user_id = ${userId}`,
  sql`select refunds.created_at as at, 'refund:' || refunds.id as key, 'refund' as of, refunds.state as what,
      order_code as detail, refunds.amount_cents as cents, reference as ref, null as actor
    from refunds join orders on orders.id = refunds.order_id where user_id = ${userId}`,
  sql`select disputes.created_at as at, 'dispute:' || disputes.id as key, 'dispute' as of,
      coalesce('closed as ' || outcome, disputes.state) as what,
      order_code as detail, disputes.amount_cents as cents, psp_reference as ref, closed_by as actor
    from disputes join orders on orders.id = disputes.order_id where user_id = ${userId}`,
  sql`select order_events.at as at, 'gateway:' || lpad(order_events.id::text, 20, '0') as key, 'gateway' as of,
      order_events.name as what, concat_ws(' ', order_code, order_events.to_state, order_events.detail) as detail,
      null::integer as cents, order_events.subject as ref, null as actor
    from order_events join orders on orders.id = order_events.order_id
    where user_id = ${userId} and order_events.kind = 'notification'
      and not (order_events.to_state = 'success' and order_events.name in (${sql.join(everyday)}))`,
  sql`select created_at as at, 'number:' || id as key, 'number' as of, 'began' as what,
      msisdn as detail, null::integer as cents, id::text as ref, null as actor
    from services where user_id = ${userId}`,
  sql`select released_at as at, 'released:' || id as key, 'number' as of, 'released' as what,
      msisdn as detail, null::integer as cents, id::text as ref, null as actor
    from services where user_id = ${userId} and released_at is not null`,
  sql`select porting_requests.created_at as at, 'transfer:' || porting_requests.id as key, 'transfer' as of, status as what,
      porting_requests.msisdn as detail, null::integer as cents, porting_requests.id::text as ref, null as actor
    from porting_requests join services on services.id = porting_requests.service_id where user_id = ${userId}`,
  sql`select created_at as at, 'message:' || id as key, 'message' as of,
      channel || ' ' || case when sent_at is not null then 'sent' when refused_at is not null then 'refused'
        when dropped_at is not null then 'dropped' else 'waits' end as what,
      coalesce(nullif(subject, ''), kind, '') as detail, null::integer as cents, id::text as ref, null as actor
    from messages where user_id = ${userId}`,
  sql`select at, 'act:' || lpad(id::text, 20, '0') as key, 'act' as of, event as what,
      details::text as detail, null::integer as cents, null as ref, actor
    from audit_events where user_id = ${userId}`,
]
