import { sql } from 'kysely'
import { type Actor, formatActor } from '#kit/server/actor.ts'
import { toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { isTransferOver, type PortingEvent, portingStatuses } from '../porting.states.ts'
import type { PortingRequest } from './porting.store.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    porting_events: {
      id?: never
      port_id: string
      at: Date
      event: PortEventName
      status: string
      sub_state: string | null
      code: string | null
      message: string | null
      actor: string | null
    }
  }
}

/** `replaced` means that the transfer was never submitted and that a corrected request replaced it. */
export type PortEventName =
  | Exclude<PortingEvent, 'submitted'>
  | 'requested'
  | 'answered'
  | 'no_answer'
  | 'replaced'
  | 'reminded'
  | 'asked'

/** Transfer events between us and the customer, which the network knows nothing about. */
export const customerContactEvents: readonly PortEventName[] = ['reminded', 'asked']

type PortEvent = {
  event: PortEventName
  actor?: Actor
  code?: string | null
  message?: string | null
}

const maxTextLength = 500

export const truncateText = (text: string | null | undefined): string | null =>
  text?.slice(0, maxTextLength).replaceAll('\0', '').toWellFormed() ?? null

export async function insertPortEvent(
  db: Db | Trx,
  { id, status, sub_state }: Pick<PortingRequest, 'id' | 'status' | 'sub_state'>,
  { event, actor, code = null, message = null }: PortEvent,
  at: Temporal.Instant,
): Promise<void> {
  await db
    .insertInto('porting_events')
    .values({
      port_id: id,
      at: toDate(at),
      event,
      status,
      sub_state,
      code: truncateText(code),
      message: truncateText(message),
      actor: actor ? formatActor(actor) : null,
    })
    .execute()
}

/** Records that the network did not respond. Consecutive failures count as one event. */
export async function recordNoResponseEvent(
  db: Db,
  port: PortingRequest,
  why: string,
  at: Temporal.Instant,
): Promise<void> {
  const latestEvent = await db
    .selectFrom('porting_events')
    .select('event')
    .where('port_id', '=', port.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (latestEvent?.event !== 'no_answer') await insertPortEvent(db, port, { event: 'no_answer', message: why }, at)
}

/**
 * Lists open transfers, oldest first, that have had no event since the given instant except failed network requests and messages to the
 * customer.
 */
export async function listStalledPorts(db: Db, since: Temporal.Instant, limit: number): Promise<string[]> {
  const { rows } = await sql<{ external_id: string }>`
    select external_id from porting_requests
    where status in (${sql.join(portingStatuses.filter((status) => !isTransferOver(status)))})
      and created_at <= ${toDate(since)}
      and not exists (
        select from porting_events
        where port_id = porting_requests.id and at > ${toDate(since)} and event not in ('no_answer', ${sql.join(customerContactEvents)})
      )
    order by created_at, id limit ${limit}`.execute(db)
  return rows.map((row) => row.external_id)
}

export const listPortEvents = (db: Db, portId: string) =>
  db
    .selectFrom('porting_events')
    .select(['at', 'event', 'status', 'sub_state', 'code', 'message', 'actor'])
    .where('port_id', '=', portId)
    .orderBy('id')
    .limit(1_000)
    .execute()
