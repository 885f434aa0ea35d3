import { sql, type Selectable } from 'kysely'
import { fromDate, realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { SealedColumn } from '#kit/server/reseal.ts'
import type { RetryQueue } from '#kit/server/retry-queue.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    messages: MessageTable
  }
}

export type MessageTable = {
  id: string
  event_key: string
  message_id: string
  channel: 'email' | 'sms'
  recipient: string
  subject: string
  attachment: string | null
  sealed_body: string | null
  created_at: Date
  sent_at: Date | null
  refused_at: Date | null
  dropped_at: Date | null
  tries: number
  retry_at: Date | null
  /** The service that the send condition refers to. A message whose `premise` is `null` has no send condition. */
  service_id: string | null
  premise: string | null
  by_day: boolean
  /** The customer's id; `null` if the message is not about an account, or was created before this column existed. */
  user_id: string | null
  kind: string | null
  /** The id of the message's subject, for example an order. The subject's type depends on `kind`. */
  ref: string | null
  /** When a message that waits for the morning may be sent, according to the application's clock. */
  due_at: Date | null
  /** The provider's response to the last failed attempt, as prepared by `scrubResponse`. */
  answer: string | null
  /** When the message was last queued for sending, in real time; `null` if the message was created before this column existed. */
  queued_at: Date | null
  /** What the message stated, as `StatedFacts`, so that staff can send a copy; `null` if no copy can be sent. */
  stated: object | null
}
export type Message = Selectable<MessageTable>

/** A condition that must still hold when the message is sent; otherwise the message is dropped. */
export type SendCondition = {
  /** The service that the message is about; `null` for an email to the operator. */
  serviceId: string | null
  premise: string
  byDay: boolean
}

export type ConditionSubject = Pick<Message, 'kind' | 'premise'> & { serviceId: string | null }

export const messageQueue: RetryQueue = {
  queue: 'messages.send',
  table: 'messages',
  key: 'id',
  // The lease allows for waiting behind other messages, each of which takes fifteen seconds if the relay does not respond.
  leaseSeconds: 60,
  countsFailures: true,
}
export const sealedMessageColumn: SealedColumn = { table: 'messages', key: 'id', column: 'sealed_body' }

/**
 * When the job of an urgent message counts as lost. From then on, any process can pick up the message from the table, unless a worker has
 * already leased it.
 */
export const computeJobLossDeadline = (): Date => toDate(realNow().add({ seconds: 15 }))

export const findMessage = (db: Db | Trx, id: string): Promise<Message | undefined> =>
  db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirst()

/** Returns the messages in the order of `ids`; `undefined` for each one that has already been sent, rejected or dropped. */
export async function findUnsentMessages(db: Db, ids: readonly string[]): Promise<(Message | undefined)[]> {
  const rows = await db
    .selectFrom('messages')
    .selectAll()
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('sent_at', 'is', null)
    .where('refused_at', 'is', null)
    .where('dropped_at', 'is', null)
    .execute()
  const byId = new Map(rows.map((message) => [message.id, message]))
  return ids.map((id) => byId.get(id))
}

export type MessageOutcome = { id: string; outcome: 'sent' | 'refused' | 'dropped'; answer?: string }

/** Records whether messages were sent, rejected or dropped, and deletes their bodies, which may contain secret links. */
export async function recordMessageOutcomes(db: Db, messageEnds: readonly MessageOutcome[]): Promise<void> {
  const now = toDate(realNow())
  const buildOutcomeTimestamp = (endOutcome: MessageOutcome['outcome']) =>
    sql`case when ended.outcome = ${endOutcome} then ${now}::timestamptz end`
  await sql`update "messages" set "sent_at" = ${buildOutcomeTimestamp('sent')}, refused_at = ${buildOutcomeTimestamp('refused')},
    dropped_at = ${buildOutcomeTimestamp('dropped')},
      sealed_body = null, retry_at = null, due_at = null, answer = ended.answer
    from unnest(
      ${messageEnds.map(({ id }) => id)}::uuid[],
      ${messageEnds.map(({ outcome }) => outcome)}::text[],
      ${messageEnds.map(({ answer }) => answer ?? null)}::text[]
    ) as ended(id, outcome, answer)
    where messages.id = ended.id and sent_at is null and refused_at is null and dropped_at is null`.execute(db)
}

/** Postpones a message until the given instant, according to the application's clock. */
export async function postponeMessage(db: Db, id: string, until: Temporal.Instant): Promise<void> {
  await db
    .updateTable('messages')
    .set({ due_at: toDate(until), retry_at: null })
    .where('id', '=', id)
    .where('sealed_body', 'is not', null)
    .execute()
}

export async function queueDueMessages(trx: Trx, now: Temporal.Instant, limit = 1_000): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .with(
      // The subquery is materialized, so that PostgreSQL respects its limit (see `leaseDueRows` in kit/server/retry-queue.ts).
      (cte) => cte('due').materialized(),
      (qb) =>
        qb
          .selectFrom('messages')
          .select('id')
          .where('due_at', '<=', toDate(now))
          .orderBy('due_at')
          .limit(limit)
          .forUpdate()
          .skipLocked(),
    )
    .updateTable('messages')
    .set({ due_at: null, retry_at: toDate(realNow()), queued_at: toDate(realNow()) })
    .where('id', 'in', (from) => from.selectFrom('due').select('id'))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function findNextDueMessage(db: Db): Promise<Temporal.Instant | null> {
  const row = await db
    .selectFrom('messages')
    .select('due_at')
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at ? fromDate(row.due_at) : null
}

export async function hasFailedSince(db: Db, channel: Message['channel'], since: Temporal.Instant): Promise<boolean> {
  const row = await db
    .selectFrom('messages')
    .select('id')
    .where('channel', '=', channel)
    .where('retry_at', 'is not', null)
    .where('tries', '>', 0)
    .where('created_at', '<=', toDate(since))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * A message counts as delayed if its next retry is more than this many seconds away. The lease is shorter, so a message
 * that is being sent never counts as delayed.
 */
const longDelaySeconds = messageQueue.leaseSeconds + 10

const isRetryFarAhead = () => sql`retry_at > ${toDate(realNow().add({ seconds: longDelaySeconds }))}`

const delayedMessagesCondition = (channel: Message['channel']) =>
  sql`channel = ${channel} and tries > 0 and ${isRetryFarAhead()}`

/**
 * Immediately retries the channel's delayed messages. Call this once the relay is responding again. It also resets every
 * failed message's back-off, even while the message is being sent, so that another failure does not delay it by an hour.
 */
export async function retryDelayedMessages(trx: Trx, channel: Message['channel']): Promise<void> {
  await sql`
    update messages set tries = 1, retry_at = case when ${isRetryFarAhead()} then ${toDate(realNow())} else retry_at end
    where channel = ${channel} and tries > 0 and retry_at is not null`.execute(trx)
}

/** Immediately retries the delayed message with the fewest tries, to find out whether the relay is responding again. */
export async function retryOneDelayedMessage(db: Db, channel: Message['channel']): Promise<void> {
  await sql`update messages set retry_at = ${toDate(realNow())}
    where id = (select id from messages where ${delayedMessagesCondition(channel)} order by tries limit 1)`.execute(db)
}

export async function hasUntriedMessages(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('messages')
    .select('id')
    .where('retry_at', 'is not', null)
    .where('tries', '=', 0)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

const laterMessageSentCondition = sql`exists (
  select from messages later
  where later.user_id = messages.user_id and later.channel = messages.channel and later.sent_at > messages.refused_at
)`

/**
 * Finds the first message rejected after the given instant, in real time, whose customer has received nothing on this
 * channel since the rejection.
 */
export async function findFirstRejectedMessage(
  db: Db,
  channel: Message['channel'],
  after: Temporal.Instant,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from messages
    where coalesce(sent_at, refused_at, dropped_at) > ${toDate(after)} and refused_at is not null
      and channel = ${channel} and not ${laterMessageSentCondition}
    order by refused_at, id limit 1`.execute(db)
  return rows[0]?.id ?? null
}

export async function isStillRejected(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from messages where id = ${id} and refused_at is not null and not ${laterMessageSentCondition}`.execute(db)
  return rows.length > 0
}

/**
 * When an event's message was sent, rejected or dropped; `null` if the message has been deleted. `isDropped` means that its
 * send condition no longer held.
 */
export async function findMessageOutcome(
  db: Db | Trx,
  eventKey: string,
): Promise<{ endedAt: Date | null; isDropped: boolean; premise: string | null } | null> {
  const row = await db
    .selectFrom('messages')
    .select(['sent_at', 'refused_at', 'dropped_at', 'premise'])
    .where('event_key', '=', eventKey)
    .executeTakeFirst()
  if (!row) return null
  const endedAt = row.sent_at ?? row.refused_at ?? row.dropped_at
  return { endedAt, isDropped: row.dropped_at !== null, premise: row.premise }
}

/** Recipients are personal data, so this deletes messages that were sent, rejected or dropped at least 90 days ago. */
export async function purgeOldMessages(db: Db): Promise<void> {
  const purgeCutoff = toDate(realNow().subtract({ hours: 24 * 90 }))
  await db
    .deleteFrom('messages')
    .where(sql<Date>`coalesce(sent_at, refused_at, dropped_at)`, '<=', purgeCutoff)
    .execute()
}

export async function reassignMessages(trx: Trx, fromUserId: string, toUserId: string): Promise<void> {
  await trx.updateTable('messages').set({ user_id: toUserId }).where('user_id', '=', fromUserId).execute()
}

export async function deleteUserMessages(trx: Trx, userId: string, recipients: string[]): Promise<void> {
  await trx.deleteFrom('messages').where('user_id', '=', userId).execute()
  await trx.deleteFrom('messages').where('user_id', 'is', null).where('recipient', 'in', recipients).execute()
}

export const listRecipients = (
  trx: Trx,
  userId: string,
  { kinds, since }: { kinds: readonly string[]; since: Temporal.Instant },
): Promise<Pick<Message, 'channel' | 'recipient'>[]> =>
  trx
    .selectFrom('messages')
    .select(['channel', 'recipient'])
    .distinct()
    .where('user_id', '=', userId)
    .where('kind', 'in', kinds)
    .where('created_at', '>=', toDate(since))
    .orderBy('recipient')
    .execute()
