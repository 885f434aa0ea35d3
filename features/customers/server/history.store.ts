import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#kit/server/db.ts'
import type { PagePosition } from '#kit/server/pagination.ts'

export type HistoryEvent = PagePosition & {
  /** The event's source. `look` means that a staff member viewed the customer; the caller supplies the query for these events. */
  of: 'order' | 'refund' | 'dispute' | 'gateway' | 'number' | 'transfer' | 'message' | 'act' | 'look'
  what: string
  detail: string
  cents: number | null
  ref: string | null
  /** Who caused the event; `null` when it was the customer. */
  actor: string | null
  order_code: string | null
  /** A message's kind; for an order, `auto` if it is an automatic renewal. */
  kind: string | null
  reason: string | null
}

/** Gateway events that every normal order causes. The history leaves them out and shows only unusual gateway events. */
const usualGatewayEvents = [
  'AUTHORISATION',
  'CAPTURE',
  'REFUND',
  'CANCELLATION',
  'TECHNICAL_CANCEL',
  'RECURRING_CONTRACT',
]

export type HistorySection =
  | 'order'
  | 'refund'
  | 'dispute'
  | 'gateway'
  | 'number'
  | 'transfer'
  | 'message'
  | 'act'
  | 'staff'

type HistoryQuery = {
  before: PagePosition | null
  limit: number
  only?: readonly HistorySection[]
  also?: readonly RawBuilder<unknown>[]
}

export async function listHistoryEvents(
  db: Db,
  userId: string,
  { before, limit, only, also = [] }: HistoryQuery,
): Promise<HistoryEvent[]> {
  const sectionQueries = buildSections(userId).flatMap(([name, part]) => (!only || only.includes(name) ? [part] : []))
  const parts = [...sectionQueries, ...also].map(
    (part) => sql`(select * from (${part}) as part ${buildCursorCondition(before)} ${newestFirst} limit ${limit})`,
  )
  if (parts.length === 0) return []
  const { rows } = await sql<HistoryEvent>`
    select * from (${sql.join(parts, sql` union all `)}) as happened ${newestFirst} limit ${limit}`.execute(db)
  return rows
}

const newestFirst = sql`order by at desc, key collate "C" desc`

const buildCursorCondition = (place: PagePosition | null): RawBuilder<unknown> =>
  place ? sql`where at <= ${place.at} and (at < ${place.at} or key collate "C" < ${place.key})` : sql``

const nullTextColumn = sql`null::text`

type SectionQuery = [HistorySection, RawBuilder<unknown>]

const buildSections = (userId: string): SectionQuery[] => [
  ...buildPaymentSections(userId),
  ...buildServiceSections(userId),
  ['act', auditEventsQuery(userId, sql`(actor is null or actor = 'system')`)],
  ['staff', auditEventsQuery(userId, sql`actor <> 'system'`)],
]

const buildPaymentSections = (userId: string): SectionQuery[] => [
  [
    'order',
    sql`select created_at as at, 'order:' || id as key, 'order' as of, kind || ' ' || state as what,
      product ->> 'title' as detail, amount_cents as cents, order_code as ref, ${nullTextColumn} as actor,
      order_code, case when auto_renewal then 'auto' end as kind, ${nullTextColumn} as reason
    from orders where user_id = ${userId}`,
  ],
  [
    'refund',
    sql`select refunds.created_at as at, 'refund:' || refunds.id as key, 'refund' as of, refunds.state as what,
      order_code as detail, refunds.amount_cents as cents, reference as ref, ${nullTextColumn} as actor,
      order_code, ${nullTextColumn} as kind, ${nullTextColumn} as reason
    from refunds join orders on orders.id = refunds.order_id where user_id = ${userId}`,
  ],
  [
    'dispute',
    sql`select disputes.created_at as at, 'dispute:' || disputes.id as key, 'dispute' as of,
      coalesce('closed as ' || outcome, disputes.state) as what,
      order_code as detail, disputes.amount_cents as cents, psp_reference as ref, closed_by as actor,
      order_code, ${nullTextColumn} as kind, ${nullTextColumn} as reason
    from disputes join orders on orders.id = disputes.order_id where user_id = ${userId}`,
  ],
  [
    'gateway',
    sql`select order_events.at as at, 'gateway:' || lpad(order_events.id::text, 20, '0') as key, 'gateway' as of,
      order_events.name as what, concat_ws(' ', order_code, order_events.to_state, order_events.detail) as detail,
      null::integer as cents, order_events.subject as ref, ${nullTextColumn} as actor,
      order_code, ${nullTextColumn} as kind, ${nullTextColumn} as reason
    from order_events join orders on orders.id = order_events.order_id
    where user_id = ${userId} and order_events.kind = 'notification'
      and not (order_events.to_state = 'success' and order_events.name in (${sql.join(usualGatewayEvents)}))`,
  ],
]

const buildServiceSections = (userId: string): SectionQuery[] => [
  [
    'number',
    sql`select created_at as at, 'number:' || id as key, 'number' as of, 'began' as what,
      msisdn as detail, null::integer as cents, id::text as ref, ${nullTextColumn} as actor,
      ${nullTextColumn} as order_code, ${nullTextColumn} as kind, ${nullTextColumn} as reason
    from services where user_id = ${userId}`,
  ],
  [
    'number',
    sql`select released_at as at, 'released:' || id as key, 'number' as of, 'released' as what,
      msisdn as detail, null::integer as cents, id::text as ref, ${nullTextColumn} as actor,
      ${nullTextColumn} as order_code, ${nullTextColumn} as kind, ${nullTextColumn} as reason
    from services where user_id = ${userId} and released_at is not null`,
  ],
  [
    'transfer',
    sql`select porting_requests.created_at as at, 'transfer:' || porting_requests.id as key, 'transfer' as of, status as what,
      porting_requests.msisdn as detail, null::integer as cents, porting_requests.external_id as ref, ${nullTextColumn} as actor,
      ${nullTextColumn} as order_code, ${nullTextColumn} as kind, ${nullTextColumn} as reason
    from porting_requests join services on services.id = porting_requests.service_id where user_id = ${userId}`,
  ],
  [
    'message',
    sql`select created_at as at, 'message:' || id as key, 'message' as of,
      channel || ' ' || case when sent_at is not null then 'sent' when refused_at is not null then 'refused'
        when dropped_at is not null then 'dropped' else 'waits' end as what,
      coalesce(nullif(subject, ''), kind, '') as detail, null::integer as cents, id::text as ref, ${nullTextColumn} as actor,
      ${nullTextColumn} as order_code, kind, ${nullTextColumn} as reason
    from messages where user_id = ${userId}`,
  ],
]

const auditEventsQuery = (userId: string, actorCondition: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select at, 'act:' || lpad(id::text, 20, '0') as key, 'act' as of, event as what,
    details::text as detail, null::integer as cents, ${nullTextColumn} as ref, actor,
    ${nullTextColumn} as order_code, ${nullTextColumn} as kind, reason
  from audit_events where user_id = ${userId} and ${actorCondition}`
