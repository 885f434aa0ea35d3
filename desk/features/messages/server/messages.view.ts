import { type RawBuilder, sql } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import { paginateRows, type PagePosition } from '#kit/server/pagination.ts'
import { type MessageList, stuckMinutes, type MessageTopic, textMessagesFilter } from '../messages.contract.ts'
import { listTopicMessageTypes } from './message-types.ts'

const pageSize = 50

type BooleanExpression = RawBuilder<boolean>

// These expressions must match those in the indexes on `messages`.
export const isRefused: BooleanExpression = sql<boolean>`messages.refused_at is not null`
export const isWaiting: BooleanExpression = sql<boolean>`messages.retry_at is not null`
/** When the message was last queued for sending. A message that is held overnight is queued in the morning. */
export const waitingSince = sql<Date>`coalesce(messages.queued_at, messages.created_at)`

export const domainColumn = sql<string | null>`case when messages.channel = 'email'
  then lower(split_part(messages.recipient, '@', 2)) end`

export const stuckThreshold = (): Date => toDate(realNow().subtract({ minutes: stuckMinutes }))

export type MessageFilter = {
  of: MessageList
  to?: string | undefined
  about?: MessageTopic | undefined
  before: PagePosition | null
}
export type ListedMessage = Awaited<ReturnType<typeof selectMessages>>[number] & PagePosition

export async function listProblemMessages(
  db: Db,
  filter: MessageFilter,
): Promise<{ rows: ListedMessage[]; next: string | null }> {
  const rows = await selectMessages(db, filter)
  return paginateRows(
    rows.map((row) => ({
      ...row,
      at: (filter.of === 'refused' ? row.refused_at : null) ?? row.waits_since,
      key: row.id,
    })),
    pageSize,
  )
}

const selectMessages = (db: Db, { of, to, about, before }: MessageFilter) =>
  db
    .selectFrom('messages')
    .leftJoin('users', 'users.id', 'messages.user_id')
    .select(['messages.id', 'channel', 'kind', 'refused_at', 'tries', 'retry_at', 'answer'])
    .select(['users.id as customer_id', 'first_name', 'last_name', 'erased_at'])
    .select([waitingSince.as('waits_since'), domainColumn.as('domain'), hasLaterDelivery.as('is_reached')])
    .select(sql<boolean>`messages.stated is not null`.as('is_copyable'))
    .$if(of === 'refused', (query) => query.where(isRefused))
    .$if(of === 'stuck', (query) => query.where(isWaiting).where(sql<boolean>`${waitingSince} <= ${stuckThreshold()}`))
    .$if(to === textMessagesFilter, (query) => query.where('channel', '=', 'sms'))
    .$if(Boolean(to) && to !== textMessagesFilter, (query) =>
      query.where(sql<boolean>`${domainColumn} = ${to?.toLowerCase()}`),
    )
    .$if(about !== undefined, (query) => query.where('kind', 'in', about ? listTopicMessageTypes(about) : []))
    .$if(before !== null, (query) => query.where(afterCursor(of, before)))
    .$if(of === 'refused', (query) => query.orderBy('refused_at', 'desc').orderBy('messages.id', 'desc'))
    .$if(of === 'stuck', (query) => query.orderBy(waitingSince).orderBy('messages.id'))
    .limit(pageSize + 1)
    .execute()

const afterCursor = (of: MessageList, before: PagePosition | null): BooleanExpression =>
  of === 'refused'
    ? sql<boolean>`(messages.refused_at, messages.id) < (${before?.at}, ${before?.key})`
    : sql<boolean>`(${waitingSince}, messages.id) > (${before?.at}, ${before?.key})`

const hasLaterDelivery = sql<boolean>`exists (
  select from messages later
  where later.user_id = messages.user_id and later.channel = messages.channel and later.sent_at > messages.refused_at
)`
