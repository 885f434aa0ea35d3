import { type ColumnType, type Generated, type Selectable, sql } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { CardNotification } from '#providers/card/card.port.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    order_events: OrderEventTable
  }
}

type OrderEventTable = {
  // The database assigns ascending ids in insertion order.
  id: ColumnType<string | number, never, never>
  order_id: ColumnType<string, string, never>
  at: ColumnType<Date, Date, never>
  last_at: Date
  times: Generated<number>
  kind: EventKind
  name: string
  subject: string | null
  from_state: string | null
  to_state: string | null
  detail: string | null
  actor: string | null
}

/**
 * An order event's kind: `state` is an order transition, `call` a provider's response that no other table stores,
 * `notification` an unsolicited report from a provider, and `act` a staff action.
 */
type EventKind = 'state' | 'call' | 'notification' | 'act'

export type OrderEventRow = Selectable<OrderEventTable>

type NewOrderEvent = {
  orderId: string
  kind: EventKind
  /** The name of the transition, the provider's operation or event, or the staff action. */
  name: string
  subject?: string | null
  from?: string | null
  to?: string | null
  detail?: string | null
  actor?: string | null
}

const maxDetailLength = 300

/** Truncates a detail and replaces control characters, some of which the database rejects. */
const truncateDetail = (text: string): string => text.slice(0, maxDetailLength).replaceAll(/\p{Cc}/gu, ' ')

const insertedColumns = [
  'order_id',
  'at',
  'last_at',
  'kind',
  'name',
  'subject',
  'from_state',
  'to_state',
  'detail',
  'actor',
] as const satisfies (keyof OrderEventRow)[]

const toEventRow = (event: NewOrderEvent): Pick<OrderEventRow, (typeof insertedColumns)[number]> => {
  const now = toDate(realNow())
  return {
    order_id: event.orderId,
    at: now,
    last_at: now,
    kind: event.kind,
    name: truncateDetail(event.name),
    subject: event.subject ? truncateDetail(event.subject) : null,
    from_state: event.from ?? null,
    to_state: event.to ?? null,
    detail: event.detail ? truncateDetail(event.detail) : null,
    actor: event.actor ?? null,
  }
}

/** Records an order event. Call this in the same transaction as the change that the event reports. */
export const recordOrderEvent = (db: Db | Trx, event: NewOrderEvent): Promise<void> => recordOrderEvents(db, [event])

export async function recordOrderEvents(db: Db | Trx, events: readonly NewOrderEvent[]): Promise<void> {
  const columns = sql.join(insertedColumns.map((name) => sql.ref(name)))
  const rows = JSON.stringify(events.map(toEventRow))
  await sql`insert into "order_events" (${columns})
    select ${columns} from json_populate_recordset(null::order_events, ${rows}::json)`.execute(db)
}

// The gateway's signature does not cover the reason, so show it only to staff.
const toNotificationEvent = (
  orderId: string,
  { eventCode, success, pspReference, amount, currency, reason }: CardNotification,
): NewOrderEvent => ({
  orderId,
  kind: 'notification',
  name: eventCode,
  subject: pspReference,
  to: success ? 'success' : 'failure',
  detail: `${amount} cents ${currency}${reason ? `: ${reason}` : ''}`,
})

/**
 * Records a notification as an order event. The caller must have checked with `insertGatewayNotification` that the notification
 * is new.
 */
export const recordNotificationEvent = (trx: Trx, orderId: string, notification: CardNotification): Promise<void> =>
  recordOrderEvent(trx, toNotificationEvent(orderId, notification))

/** Records a notification that `insertGatewayNotification` does not store. Duplicates only increment the existing event's count. */
export const countNotificationEvent = (db: Db | Trx, orderId: string, notification: CardNotification): Promise<void> =>
  countOrderEvent(db, toNotificationEvent(orderId, notification))

export async function countOrderEvent(db: Db | Trx, event: NewOrderEvent): Promise<void> {
  const { kind, name, subject, detail, last_at } = toEventRow(event)
  const latestEvent = await db
    .selectFrom('order_events')
    .select(['id', 'kind', 'name', 'subject', 'detail'])
    .where('order_id', '=', event.orderId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const isRepeat =
    latestEvent?.kind === kind &&
    latestEvent.name === name &&
    latestEvent.subject === subject &&
    latestEvent.detail === detail
  if (!latestEvent || !isRepeat) return recordOrderEvent(db, event)
  await db
    .updateTable('order_events')
    .set((row) => ({ times: row('times', '+', 1), last_at }))
    .where('id', '=', latestEvent.id)
    .execute()
}

export async function listOrderEvents(db: Db, orderId: string, maxEvents = 500): Promise<OrderEventRow[]> {
  const latestEvent = await db
    .selectFrom('order_events')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('id', 'desc')
    .limit(maxEvents)
    .execute()
  return latestEvent.toReversed()
}

export async function hasFailedNotification(
  trx: Trx,
  { orderId, name, since }: { orderId: string; name: string; since: Date },
): Promise<boolean> {
  const row = await trx
    .selectFrom('order_events')
    .select('id')
    .where('order_id', '=', orderId)
    .where('kind', '=', 'notification')
    .where('name', '=', name)
    .where('to_state', '=', 'failure')
    .where('at', '>=', since)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export const planCancelledEventName = 'cancel_next_plan'

/** Who last cancelled an order's plan, in the format of `actorName`; `null` if it was the customer. */
export async function findPlanCanceller(db: Db | Trx, orderId: string): Promise<string | null> {
  const row = await db
    .selectFrom('order_events')
    .select('actor')
    .where('order_id', '=', orderId)
    .where('kind', '=', 'act')
    .where('name', '=', planCancelledEventName)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.actor ?? null
}
