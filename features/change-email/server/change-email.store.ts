import { type Generated, type Selectable, sql, type Updateable } from 'kysely'
import { fromDate, realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { DueCondition } from '#kit/server/due-conditions.ts'
import type { RetryQueue } from '#kit/server/retry-queue.ts'
import { lockUser } from '#features/auth/server/users.store.ts'
import { getNextState } from '#kit/contract/transitions.ts'
import { type EmailChangeEvent, type EmailChangeState, emailChangeTransitions } from '../change-email.states.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    email_changes: EmailChangeTable
  }
}

type EmailChangeTable = {
  id: string
  user_id: string
  new_email: string
  state: Exclude<EmailChangeState, 'CREATED'>
  version: number
  /** The PIN's hash; an empty string when no PIN is expected. */
  pin_hash: string
  pin_expires_at: Date
  sent_to: string
  link_wanted: boolean
  created_at: Date
  ended_at: Date | null
  canceled_by: EmailChangeEvent | null
  /** When a worker next tries to send the requested link email, in real time; `null` when no email is waiting to be sent. */
  retry_at: Date | null
  tries: Generated<number>
}
export type EmailChange = Selectable<EmailChangeTable>

export const linkMailQueue: RetryQueue = {
  queue: 'change-email.mail-new-address',
  table: 'email_changes',
  key: 'id',
  leaseSeconds: 10,
  countsFailures: true,
  maxTries: 20,
}

/** Column values that request the link email. The caller must also queue the job that sends the email. */
export const linkMailRequestColumns = (): Pick<EmailChange, 'link_wanted' | 'retry_at' | 'tries'> => ({
  link_wanted: true,
  retry_at: toDate(realNow().add({ seconds: linkMailQueue.leaseSeconds })),
  tries: 0,
})

/** Reschedules a link email that a process running the previous version requested, because that version schedules no retry. */
export async function rescheduleLinkMail(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('email_changes')
    .set(linkMailRequestColumns())
    .where('id', '=', id)
    .where('link_wanted', '=', true)
    .execute()
}

const lapseAfterHours = 7 * 24

export const computeLapseTime = (change: Pick<EmailChange, 'created_at'>): Temporal.Instant =>
  fromDate(change.created_at).add({ hours: lapseAfterHours })

export const findLatestEmailChange = (db: Db | Trx, userId: string): Promise<EmailChange | undefined> =>
  db
    .selectFrom('email_changes')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('ended_at', (order) => order.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst()

export const findEmailChange = (db: Db | Trx, id: string): Promise<EmailChange | undefined> =>
  db.selectFrom('email_changes').selectAll().where('id', '=', id).executeTakeFirst()

/**
 * Locks the account until the transaction ends, and returns its open email change with expiries already applied. It locks
 * the account because an account's first email change has no row to lock yet.
 */
export async function lockEmailChange(
  trx: Trx,
  userId: string,
  now: Temporal.Instant,
): Promise<EmailChange | undefined> {
  await lockUser(trx, userId)
  const ongoingEmailChange = await trx
    .selectFrom('email_changes')
    .selectAll()
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  const change = ongoingEmailChange && (await applyExpiry(trx, ongoingEmailChange, now))
  return change?.ended_at ? undefined : change
}

async function applyExpiry(trx: Trx, change: EmailChange, now: Temporal.Instant): Promise<EmailChange> {
  const at = toDate(now)
  const changeAfterPinExpiry =
    change.state === 'REQUESTED' && change.pin_expires_at <= at
      ? await transitionEmailChange(trx, change, 'pin_too_old', { now })
      : change
  return changeAfterPinExpiry.state !== 'REQUESTED' &&
    !changeAfterPinExpiry.ended_at &&
    toDate(computeLapseTime(changeAfterPinExpiry)) <= at
    ? transitionEmailChange(trx, changeAfterPinExpiry, 'lapsed', { now })
    : changeAfterPinExpiry
}

type NewEmailChange = Pick<
  EmailChange,
  'id' | 'user_id' | 'new_email' | 'pin_hash' | 'pin_expires_at' | 'sent_to' | 'created_at'
>

export const insertEmailChange = (trx: Trx, change: NewEmailChange): Promise<EmailChange> =>
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
 * Moves an email change to its next state; no other function changes the state. The caller must hold the account's lock.
 * @throws when the transition is not permitted, or when another transaction has changed the row because the lock was not held
 */
export async function transitionEmailChange(
  trx: Trx,
  change: EmailChange,
  event: EmailChangeEvent,
  { now, ...patch }: { now: Temporal.Instant } & Omit<Updateable<EmailChangeTable>, 'state'>,
): Promise<EmailChange> {
  const state = getNextState(emailChangeTransitions, change.state, event)
  if (!state || state === 'CREATED')
    throw new Error(`an email change in the state ${change.state} does not allow the event ${event}`)
  const isEnded = state === 'FINISHED' || state === 'CANCELED'
  return trx
    .updateTable('email_changes')
    .set({
      // Cancels a link email that is still waiting, unless `patch` requests another one.
      retry_at: null,
      ...patch,
      ...(state !== 'REQUESTED' && { pin_hash: '' }),
      ...(isEnded && { ended_at: toDate(now) }),
      ...(state === 'CANCELED' && { canceled_by: event }),
      state,
      version: change.version + 1,
    })
    .where('id', '=', change.id)
    .where('version', '=', change.version)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function endOpenEmailChange(trx: Trx, userId: string, now: Temporal.Instant): Promise<void> {
  const change = await lockEmailChange(trx, userId, now)
  if (change) await transitionEmailChange(trx, change, 'replaced', { now })
}

/** Claims the link email: returns true to only one worker, which then sends it. The caller must hold the account's lock. */
export async function consumeLinkMailRequest(trx: Trx, id: string): Promise<boolean> {
  const changeRow = await findEmailChange(trx, id)
  await trx.updateTable('email_changes').set({ link_wanted: false, retry_at: null }).where('id', '=', id).execute()
  return changeRow?.link_wanted === true
}

export async function listUsersWithExpiredChange(db: Db, now: Temporal.Instant): Promise<string[]> {
  const rows = await db
    .selectFrom('email_changes')
    .select('user_id')
    .where('ended_at', 'is', null)
    .where((where) =>
      where.or([
        where.and([where('state', '=', 'REQUESTED'), where('pin_expires_at', '<=', toDate(now))]),
        where('created_at', '<=', toDate(now.subtract({ hours: lapseAfterHours }))),
      ]),
    )
    .limit(100)
    .execute()
  return rows.map((row) => row.user_id)
}

export const hasExpired: DueCondition = ({ product: now }) => sql<boolean>`exists (
  select from email_changes where ended_at is null
    and ((state = 'REQUESTED' and pin_expires_at <= ${now}) or created_at <= ${now}::timestamptz - ${lapseAfterHours} * interval '1 hour')
)`

export async function findNextExpiry(db: Db): Promise<Temporal.Instant | null> {
  const nextPinExpiry = await db
    .selectFrom('email_changes')
    .select((select) => select.fn.min('pin_expires_at').as('due'))
    // The state is a literal in the SQL, because a generic plan cannot use the partial index if the state is a parameter.
    .where(sql<boolean>`state = 'REQUESTED'`)
    .executeTakeFirst()
  const oldestChange = await db
    .selectFrom('email_changes')
    .select((select) => select.fn.min('created_at').as('created_at'))
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  const expiryTimes = [
    ...(nextPinExpiry?.due ? [fromDate(nextPinExpiry.due)] : []),
    ...(oldestChange?.created_at ? [computeLapseTime({ created_at: oldestChange.created_at })] : []),
  ]
  return expiryTimes.sort(Temporal.Instant.compare)[0] ?? null
}

export async function deleteEmailChanges(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('email_changes').where('user_id', '=', userId).execute()
}
