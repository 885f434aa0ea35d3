import { type RawBuilder, sql } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import { pageOf, type Place } from '#kit/server/page.ts'
import { type MessageList, stuckMinutes, type Subject, texts } from '../messages.contract.ts'
import { kindsAbout } from './message-kinds.ts'

const aPage = 50

type Truth = RawBuilder<boolean>

// These expressions must match those of the indexes.
export const isRefused: Truth = sql<boolean>`messages.refused_at is not null`
export const waits: Truth = sql<boolean>`messages.retry_at is not null`
/**
 * When the message was last queued for sending. A message that was held back for the night is queued in the morning.
 */
export const waitsSince = sql<Date>`coalesce(messages.queued_at, messages.created_at)`

export const domainOf = sql<string | null>`case when messages.channel = 'email'
  then lower(split_part(messages.recipient, '@', 2)) end`

export const stuckSince = (): Date => toDate(realNow().subtract({ minutes: stuckMinutes }))

export type ListWish = { of: MessageList; to?: string | undefined; about?: Subject | undefined; before: Place | null }
export type ListedMessage = Awaited<ReturnType<typeof rowsOf>>[number] & Place

export async function listTroubled(db: Db, wish: ListWish): Promise<{ rows: ListedMessage[]; next: string | null }> {
  const rows = await rowsOf(db, wish)
  return pageOf(
    rows.map((row) => ({
      ...row,
      at: (wish.of === 'refused' ? row.refused_at : null) ?? row.waits_since,
      key: row.id,
    })),
    aPage,
  )
}

const rowsOf = (db: Db, { of, to, about, before }: ListWish) =>
  db
    .selectFrom('messages')
    .leftJoin('users', 'users.id', 'messages.user_id')
    .select(['messages.id', 'channel', 'kind', 'refused_at', 'tries', 'retry_at', 'answer'])
    .select(['users.id as customer_id', 'first_name', 'last_name', 'erased_at'])
    .select([waitsSince.as('waits_since'), domainOf.as('domain'), reachedSince.as('is_reached')])
    .$if(of === 'refused', (those) => those.where(isRefused))
    .$if(of === 'stuck', (those) => those.where(waits).where(sql<boolean>`${waitsSince} <= ${stuckSince()}`))
    .$if(to === texts, (those) => those.where('channel', '=', 'sms'))
    .$if(Boolean(to) && to !== texts, (those) => those.where(sql<boolean>`${domainOf} = ${to?.toLowerCase()}`))
    .$if(about !== undefined, (those) => those.where('kind', 'in', about ? kindsAbout(about) : []))
    .$if(before !== null, (those) => those.where(behind(of, before)))
    .$if(of === 'refused', (those) => those.orderBy('refused_at', 'desc').orderBy('messages.id', 'desc'))
    .$if(of === 'stuck', (those) => those.orderBy(waitsSince).orderBy('messages.id'))
    .limit(aPage + 1)
    .execute()

const behind = (of: MessageList, before: Place | null): Truth =>
  of === 'refused'
    ? sql<boolean>`(messages.refused_at, messages.id) < (${before?.at}, ${before?.key})`
    : sql<boolean>`(${waitsSince}, messages.id) > (${before?.at}, ${before?.key})`

const reachedSince = sql<boolean>`exists (
  select from messages later
  where later.user_id = messages.user_id and later.channel = messages.channel and later.sent_at > messages.refused_at
)`
