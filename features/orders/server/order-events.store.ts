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
  // Assigned by the database in ascending order of insertion.
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
 * `state`: a transition of the order. `call`: a provider's response that no other table keeps. `notification`: an
 * unsolicited report of a provider. `act`: an action of staff.
 */
type EventKind = 'state' | 'call' | 'notification' | 'act'

export type HappenedToOrder = Selectable<OrderEventTable>

type NewEvent = {
  orderId: string
  kind: EventKind
  /** The name of the transition, of the port's method, or of the provider's event. */
  name: string
  subject?: string | null
  from?: string | null
  to?: string | null
  detail?: string | null
  actor?: string | null
}

const longestDetail = 300

/** Replaces control characters, because the database rejects some of them. */
const cut = (text: string): string => text.slice(0, longestDetail).replaceAll(/\p{Cc}/gu, ' ')

const written = [
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
] as const satisfies (keyof HappenedToOrder)[]

const rowOf = (event: NewEvent): Pick<HappenedToOrder, (typeof written)[number]> => {
  const now = toDate(realNow())
  return {
    order_id: event.orderId,
    at: now,
    last_at: now,
    kind: event.kind,
    name: cut(event.name),
    subject: event.subject ? cut(event.subject) : null,
    from_state: event.from ?? null,
    to_state: event.to ?? null,
    detail: event.detail ? cut(event.detail) : null,
    actor: event.actor ?? null,
  }
}

/** Call this in the transaction of the change that the event reports. */
export const noteOrderEvent = (db: Db | Trx, event: NewEvent): Promise<void> => noteOrderEvents(db, [event])

export async function noteOrderEvents(db: Db | Trx, events: readonly NewEvent[]): Promise<void> {
  const columns = sql.join(written.map((name) => sql.ref(name)))
  const rows = JSON.stringify(events.map(rowOf))
  await sql`insert into "order_events" (${columns})
    select ${columns} from json_populate_recordset(null::order_events, ${rows}::json)`.execute(db)
}

// The gateway does not sign the reason, so it is only shown to staff.
const eventOf = (
  orderId: string,
  { eventCode, success, pspReference, amount, currency, reason }: CardNotification,
): NewEvent => ({
  orderId,
  kind: 'notification',
  name: eventCode,
  subject: pspReference,
  to: success ? 'success' : 'failure',
  detail: `${amount} cents ${currency}${reason ? `: ${reason}` : ''}`,
})

/** The caller has checked with `rememberNotification` that the notification is new. */
export const noteNotification = (trx: Trx, orderId: string, notification: CardNotification): Promise<void> =>
  noteOrderEvent(trx, eventOf(orderId, notification))

/** Records a notification that is not remembered because it was not valid. Repeats increment the counter of one row. */
export const countNotification = (db: Db | Trx, orderId: string, notification: CardNotification): Promise<void> =>
  countOrderEvent(db, eventOf(orderId, notification))

export async function countOrderEvent(db: Db | Trx, event: NewEvent): Promise<void> {
  const { kind, name, subject, detail, last_at } = rowOf(event)
  const latest = await db
    .selectFrom('order_events')
    .select(['id', 'kind', 'name', 'subject', 'detail'])
    .where('order_id', '=', event.orderId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const isSame = latest?.kind === kind && latest.name === name && latest.subject === subject && latest.detail === detail
  if (!latest || !isSame) return noteOrderEvent(db, event)
  await db
    .updateTable('order_events')
    .set((row) => ({ times: row('times', '+', 1), last_at }))
    .where('id', '=', latest.id)
    .execute()
}

export async function orderEventsOf(db: Db, orderId: string, most = 500): Promise<HappenedToOrder[]> {
  const latest = await db
    .selectFrom('order_events')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
  return latest.toReversed()
}

export async function hasFailureOf(
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

export const planCancelled = 'cancel_next_plan'

/** The actor who last cancelled an order's plan, as formatted by `nameOf`; `null` for the customer. */
export async function whoCancelledPlan(db: Db | Trx, orderId: string): Promise<string | null> {
  const row = await db
    .selectFrom('order_events')
    .select('actor')
    .where('order_id', '=', orderId)
    .where('kind', '=', 'act')
    .where('name', '=', planCancelled)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.actor ?? null
}
