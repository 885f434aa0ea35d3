import { type Generated, type Selectable, sql, type Updateable } from 'kysely'
import { fromDate, realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { Due } from '#kit/server/due.ts'
import type { Retries } from '#kit/server/retries.ts'
import { lockUser } from '#features/auth/server/users.store.ts'
import { nextState } from '#kit/contract/transitions.ts'
import { type ChangeEmailEvent, type ChangeEmailState, changeEmailTransitions } from '../change-email.states.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    email_changes: EmailChangeTable
  }
}

type EmailChangeTable = {
  id: string
  user_id: string
  new_email: string
  state: Exclude<ChangeEmailState, 'CREATED'>
  version: number
  /** Empty when no PIN is waited for. */
  pin_hash: string
  pin_expires_at: Date
  sent_to: string
  /** A link to the new address is to be made. */
  link_wanted: boolean
  created_at: Date
  ended_at: Date | null
  /** What ended a CANCELED request; null in other states, and in requests from before it was written down. */
  canceled_by: ChangeEmailEvent | null
  /** Real time: when a worker makes the wanted link. */
  retry_at: Date | null
  /** Failed tries to make the wanted link. */
  tries: Generated<number>
}
export type EmailChange = Selectable<EmailChangeTable>

/** Requests of which the link to the new address is to be made. */
export const wantedLinkRetries: Retries = {
  queue: 'change-email.mail-new-address',
  table: 'email_changes',
  key: 'id',
  leaseSeconds: 10,
  countsFailures: true,
  maxTries: 20,
}

/** A link is wanted: the caller sends its job. */
export const linkWanted = (): Pick<EmailChange, 'link_wanted' | 'retry_at' | 'tries'> => ({
  link_wanted: true,
  retry_at: toDate(realNow().add({ seconds: wantedLinkRetries.leaseSeconds })),
  tries: 0,
})

/** Makes the row due of a change whose link a process of the previous version has asked for. */
export async function wantLinkAgain(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('email_changes')
    .set(linkWanted())
    .where('id', '=', id)
    .where('link_wanted', '=', true)
    .execute()
}

/** An unfinished request lapses after this. */
const lapseHours = 7 * 24

export const lapsesAt = (change: Pick<EmailChange, 'created_at'>): Temporal.Instant =>
  fromDate(change.created_at).add({ hours: lapseHours })

/** The request that is under way, or else the one that ended last. */
export const findLatestChange = (db: Db | Trx, userId: string): Promise<EmailChange | undefined> =>
  db
    .selectFrom('email_changes')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('ended_at', (order) => order.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst()

export const findChange = (db: Db | Trx, id: string): Promise<EmailChange | undefined> =>
  db.selectFrom('email_changes').selectAll().where('id', '=', id).executeTakeFirst()

/**
 * The request that is under way, locked until the transaction ends. They take turns at the account,
 * because before the first request there is nothing else to hold. It comes as it stands now, caught up with the clock.
 */
export async function lockChange(trx: Trx, userId: string, now: Temporal.Instant): Promise<EmailChange | undefined> {
  await lockUser(trx, userId)
  const live = await trx
    .selectFrom('email_changes')
    .selectAll()
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  const change = live && (await catchUp(trx, live, now))
  return change?.ended_at ? undefined : change
}

/** What time alone does to a request: its PIN grows too old, and after a week it lapses. */
async function catchUp(trx: Trx, change: EmailChange, now: Temporal.Instant): Promise<EmailChange> {
  const at = toDate(now)
  const aged =
    change.state === 'REQUESTED' && change.pin_expires_at <= at
      ? await moveChange(trx, change, 'pin_too_old', { now })
      : change
  return aged.state !== 'REQUESTED' && !aged.ended_at && toDate(lapsesAt(aged)) <= at
    ? moveChange(trx, aged, 'lapsed', { now })
    : aged
}

type NewChange = Pick<
  EmailChange,
  'id' | 'user_id' | 'new_email' | 'pin_hash' | 'pin_expires_at' | 'sent_to' | 'created_at'
>

export const insertChange = (trx: Trx, change: NewChange): Promise<EmailChange> =>
  trx
    .insertInto('email_changes')
    .values({
      ...change,
      state: 'REQUESTED',
      version: 0,
      link_wanted: false,
      ended_at: null,
      canceled_by: null,
      retry_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()

/**
 * The one place where a request's state changes. The caller has locked the account.
 * @throws when the table of states knows no such move, or it was moved without holding the account
 */
export async function moveChange(
  trx: Trx,
  change: EmailChange,
  event: ChangeEmailEvent,
  { now, ...patch }: { now: Temporal.Instant } & Omit<Updateable<EmailChangeTable>, 'state'>,
): Promise<EmailChange> {
  const state = nextState(changeEmailTransitions, change.state, event)
  if (!state || state === 'CREATED')
    throw new Error(`a request to change an address is ${change.state} and cannot take ${event}`)
  const over = state === 'FINISHED' || state === 'CANCELED'
  return trx
    .updateTable('email_changes')
    .set({
      // Unless a link is wanted now, an earlier one is no longer.
      retry_at: null,
      ...patch,
      ...(state !== 'REQUESTED' && { pin_hash: '' }),
      ...(over && { ended_at: toDate(now) }),
      ...(state === 'CANCELED' && { canceled_by: event }),
      state,
      version: change.version + 1,
    })
    .where('id', '=', change.id)
    .where('version', '=', change.version)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Ends the request that is under way, if one is. */
export async function endChange(trx: Trx, userId: string, now: Temporal.Instant): Promise<void> {
  const change = await lockChange(trx, userId, now)
  if (change) await moveChange(trx, change, 'replaced', { now })
}

/** True for the worker that is to make the mail to the new address. The caller has locked the account. */
export async function takeWantedLink(trx: Trx, id: string): Promise<boolean> {
  const found = await findChange(trx, id)
  await trx.updateTable('email_changes').set({ link_wanted: false, retry_at: null }).where('id', '=', id).execute()
  return found?.link_wanted === true
}

/** Whose requests time has moved on, so that `lockChange` would change them. */
export async function findOwnersOfAged(db: Db, now: Temporal.Instant): Promise<string[]> {
  const rows = await db
    .selectFrom('email_changes')
    .select('user_id')
    .where('ended_at', 'is', null)
    .where((where) =>
      where.or([
        where.and([where('state', '=', 'REQUESTED'), where('pin_expires_at', '<=', toDate(now))]),
        where('created_at', '<=', toDate(now.subtract({ hours: lapseHours }))),
      ]),
    )
    .limit(100)
    .execute()
  return rows.map((row) => row.user_id)
}

/** Whether there is one. */
export const isAnyAged: Due = ({ product: now }) => sql<boolean>`exists (
  select from email_changes where ended_at is null
    and ((state = 'REQUESTED' and pin_expires_at <= ${now}) or created_at <= ${now}::timestamptz - ${lapseHours} * interval '1 hour')
)`

/** When the next request expires: its PIN, or the request as a whole. */
export async function nextAged(db: Db): Promise<Temporal.Instant | null> {
  const pin = await db
    .selectFrom('email_changes')
    .select((select) => select.fn.min('pin_expires_at').as('due'))
    // In so many words, as the index has it: a plan that is made before the value is known could not use it.
    .where(sql<boolean>`state = 'REQUESTED'`)
    .executeTakeFirst()
  const oldest = await db
    .selectFrom('email_changes')
    .select((select) => select.fn.min('created_at').as('created_at'))
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  const dues = [
    ...(pin?.due ? [fromDate(pin.due)] : []),
    ...(oldest?.created_at ? [lapsesAt({ created_at: oldest.created_at })] : []),
  ]
  return dues.sort(Temporal.Instant.compare)[0] ?? null
}

/** Every change of address that an account has asked for. */
export async function deleteChanges(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('email_changes').where('user_id', '=', userId).execute()
}
