import { sql } from 'kysely'
import { type Clock, realNow, toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import { refusedPeriodDays } from '../messages.contract.ts'
import { domainColumn, isRefused, stuckThreshold, isWaiting, waitingSince } from './messages.view.ts'

/** Maximum number of messages that are counted or measured, so that the page stays fast on a day when every message is refused. */
export const maxCountedMessages = 10_000

/**
 * The number of refused or stuck messages to one email domain. `oldest` is when the longest-waiting stuck message
 * started to wait; `null` for refused messages. `domain` is `null` for text messages.
 */
export type DomainCount = { domain: string | null; count: number; oldest: Date | null }

export async function countRefusedByDomain(db: Db): Promise<DomainCount[]> {
  const latestRefusedMessages = db
    .selectFrom('messages')
    .select(domainColumn.as('domain'))
    .where(isRefused)
    .where('refused_at', '>', toDate(realNow().subtract({ hours: 24 * refusedPeriodDays })))
    .orderBy('refused_at', 'desc')
    .limit(maxCountedMessages)
  const rows = await db
    .selectFrom(latestRefusedMessages.as('newest'))
    .select((eb) => ['domain', eb.fn.countAll<string>().as('count')])
    .groupBy('domain')
    .execute()
  return rows.map(({ domain, count }) => ({ domain, count: Number(count), oldest: null }))
}

export async function countStuckByDomain(db: Db): Promise<DomainCount[]> {
  const oldestStuckMessages = db
    .selectFrom('messages')
    .select([domainColumn.as('domain'), waitingSince.as('since')])
    .where(isWaiting)
    .where(sql<boolean>`${waitingSince} <= ${stuckThreshold()}`)
    .orderBy(waitingSince)
    .limit(maxCountedMessages)
  const rows = await db
    .selectFrom(oldestStuckMessages.as('oldest'))
    .select((eb) => ['domain', eb.fn.countAll<string>().as('count'), eb.fn.min('since').as('since')])
    .groupBy('domain')
    .execute()
  return rows.map(({ domain, count, since }) => ({ domain, count: Number(count), oldest: since }))
}

export type MeasuredSendingTimes = {
  channel: 'email' | 'sms'
  domain: string | null
  isWhole: boolean
  sent: number
  half: number
  most: number
}

/**
 * Measures the seconds from queueing to sending for the newest messages sent today, per channel and per domain. Both
 * times are real time, so moving a demo's clock does not affect them. A message that is held overnight is queued in the
 * morning, so the night does not count.
 */
export async function measureSendingTimesToday({
  db,
  clock,
  zone,
}: {
  db: Db
  clock: Clock
  zone: string
}): Promise<MeasuredSendingTimes[]> {
  const midnight = clock.now().toZonedDateTimeISO(zone).startOfDay().toInstant()
  const ended = sql<Date>`coalesce(messages.sent_at, messages.refused_at, messages.dropped_at)`
  const latestMessages = db
    .selectFrom('messages')
    .select(['channel', domainColumn.as('domain')])
    .select(sql<number>`greatest(0, extract(epoch from messages.sent_at - messages.queued_at))`.as('took'))
    .where(sql<boolean>`${ended} >= ${toDate(midnight.subtract({ milliseconds: Math.round(clock.offset()) }))}`)
    .where('sent_at', 'is not', null)
    .where('queued_at', 'is not', null)
    .orderBy(ended, 'desc')
    .limit(maxCountedMessages)
  const rows = await db
    .selectFrom(latestMessages.as('newest'))
    .select((eb) => [
      'channel',
      'domain',
      sql<number>`grouping(domain)`.as('is_whole'),
      eb.fn.countAll<string>().as('sent'),
      sql<number>`percentile_cont(0.5) within group (order by took)`.as('half'),
      sql<number>`percentile_cont(0.95) within group (order by took)`.as('most'),
    ])
    .groupBy(sql`grouping sets ((channel), (channel, domain))`)
    .execute()
  return rows.map(({ channel, domain, is_whole: whole, sent, half, most }) => ({
    channel,
    domain,
    isWhole: Number(whole) === 1,
    sent: Number(sent),
    half: Number(half),
    most: Number(most),
  }))
}
