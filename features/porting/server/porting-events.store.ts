import { sql } from 'kysely'
import { type Actor, nameOf } from '#kit/server/actor.ts'
import { toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { isOver, type PortingEvent, portingStatuses } from '../porting.states.ts'
import type { PortingRequest } from './porting.store.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    porting_events: {
      // Made by the database.
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

/** What people are told of: a transfer that is `replaced` never left, and was asked for anew with other answers. */
export type PortEventName =
  | Exclude<PortingEvent, 'submitted'>
  | 'requested'
  | 'answered'
  | 'no_answer'
  | 'replaced'
  /** Its customer was asked once more for their answer, or for what is wrong. */
  | 'reminded'
  | 'asked'

/** What is between its customer and us: the network says nothing of it. */
export const ofCustomer: readonly PortEventName[] = ['reminded', 'asked']

type PortEvent = {
  event: PortEventName
  /** Who had it done, where it was not the network. */
  actor?: Actor
  code?: string | null
  message?: string | null
}

const longestText = 500

/** The network's own words, as far as they are kept; what no database takes is left out. */
export const bounded = (text: string | null | undefined): string | null =>
  text?.slice(0, longestText).replaceAll('\0', '').toWellFormed() ?? null

/** Writes down what happened to a transfer, with where it stands then. */
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
      code: bounded(code),
      message: bounded(message),
      actor: actor ? nameOf(actor) : null,
    })
    .execute()
}

/** The network gave no answer: told once, however often it is asked. */
export async function noteSilence(db: Db, port: PortingRequest, why: string, at: Temporal.Instant): Promise<void> {
  const latest = await db
    .selectFrom('porting_events')
    .select('event')
    .where('port_id', '=', port.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (latest?.event !== 'no_answer') await insertPortEvent(db, port, { event: 'no_answer', message: why }, at)
}

/**
 * Transfers that are under way and of which nothing was heard since an instant, the oldest first: not even that they go on, as the
 * network names no other place where they stand.
 */
export async function listStillPorts(db: Db, since: Temporal.Instant, limit: number): Promise<string[]> {
  const { rows } = await sql<{ external_id: string }>`
    select external_id from porting_requests
    where status in (${sql.join(portingStatuses.filter((status) => !isOver(status)))})
      and created_at <= ${toDate(since)}
      and not exists (
        select from porting_events
        where port_id = porting_requests.id and at > ${toDate(since)} and event not in ('no_answer', ${sql.join(ofCustomer)})
      )
    order by created_at, id limit ${limit}`.execute(db)
  return rows.map((row) => row.external_id)
}

/** Oldest first; a transfer has few. */
export const listPortEvents = (db: Db, portId: string) =>
  db
    .selectFrom('porting_events')
    .select(['at', 'event', 'status', 'sub_state', 'code', 'message', 'actor'])
    .where('port_id', '=', portId)
    .orderBy('id')
    .limit(1_000)
    .execute()
