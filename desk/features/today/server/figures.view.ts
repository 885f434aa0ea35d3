import { type RawBuilder, sql } from 'kysely'
import { type Clock, toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import { type Day, createEmptyMinute, type MinuteFigures, groupByDay } from './minute-figures.ts'

type DateRange = { from: Date; to: Date }

/**
 * Counts the figures for each minute of consecutive days, using ranges of three indexes and one of the few failed captures. Finished days
 * and today are counted in the same way. Payments and refunds are recorded in real time, so their ranges are shifted by the clock's
 * offset.
 */
export async function countDays(
  { db, clock }: { db: Db; clock: Clock },
  days: readonly Pick<Day, 'begins' | 'ends'>[],
): Promise<MinuteFigures[][]> {
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return []
  const [begins, ends] = [first.begins.toInstant(), last.ends.toInstant()]
  const toRealTime = (moment: Temporal.Instant): Date => toDate(moment.subtract({ milliseconds: clock.offset() }))
  const realTimeRange = { from: toRealTime(begins), to: toRealTime(ends) }
  return groupByDay(days, [
    ...(await countOrders(db, { from: toDate(begins), to: toDate(ends) })),
    ...(await deductFailedCaptures(db, { from: toDate(begins), to: toDate(ends) })),
    ...(await countPayments(db, realTimeRange)),
    ...(await sumRefunds(db, realTimeRange)),
  ])
}

const minutesSince = (column: string, from: Date): RawBuilder<number> =>
  sql<number>`floor(extract(epoch from ${sql.ref(column)} - ${from}::timestamptz) / 60)::int`

async function countOrders(db: Db, { from, to }: DateRange): Promise<MinuteFigures[]> {
  const rows = await db
    .selectFrom('orders')
    .select([
      'kind',
      'auto_renewal',
      minutesSince('completed_at', from).as('minute'),
      sql<string>`count(*)`.as('count'),
      sql<string>`sum(amount_cents)`.as('cents'),
    ])
    .where('completed_at', '>=', from)
    .where('completed_at', '<', to)
    .groupBy(['kind', 'auto_renewal', 'minute'])
    .execute()
  return rows.map(({ kind, auto_renewal: isAuto, minute, count, cents }) => ({
    ...createEmptyMinute(minute),
    activated: kind === 'activation' ? Number(count) : 0,
    renewed: kind === 'recharge' ? Number(count) : 0,
    by_themselves: kind === 'recharge' && isAuto ? Number(count) : 0,
    addons: kind === 'addon' ? Number(count) : 0,
    taken_cents: Number(cents),
  }))
}

/** Deducts the amounts of completed orders whose payment the gateway could not capture, so that they do not count as taken. */
async function deductFailedCaptures(db: Db, { from, to }: DateRange): Promise<MinuteFigures[]> {
  const rows = await db
    .selectFrom('payment_attempts')
    .innerJoin('orders', 'orders.id', 'payment_attempts.order_id')
    .select([minutesSince('completed_at', from).as('minute'), sql<string>`sum(orders.amount_cents)`.as('cents')])
    .where('capture_failed_at', 'is not', null)
    .where('payment_attempts.state', '=', 'captured')
    .where('completed_at', '>=', from)
    .where('completed_at', '<', to)
    .groupBy('minute')
    .execute()
  return rows.map(({ minute, cents }) => ({ ...createEmptyMinute(minute), taken_cents: -Number(cents) }))
}

async function countPayments(db: Db, { from, to }: DateRange): Promise<MinuteFigures[]> {
  const rows = await db
    .selectFrom('payment_attempts')
    .select([
      minutesSince('created_at', from).as('minute'),
      sql<string>`count(*)`.as('asked'),
      sql<string>`count(*) filter (where state = 'refused')`.as('refused'),
    ])
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .where('state', 'not in', ['initiated', 'unknown'])
    .groupBy('minute')
    .execute()
  return rows.map(({ minute, asked, refused }) => ({
    ...createEmptyMinute(minute),
    asked: Number(asked),
    refused: Number(refused),
  }))
}

async function sumRefunds(db: Db, { from, to }: DateRange): Promise<MinuteFigures[]> {
  const rows = await db
    .selectFrom('refunds')
    .select([minutesSince('created_at', from).as('minute'), sql<string>`sum(amount_cents)`.as('cents')])
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .where('psp_reference', 'is not', null)
    .groupBy('minute')
    .execute()
  return rows.map(({ minute, cents }) => ({ ...createEmptyMinute(minute), given_cents: Number(cents) }))
}

export async function findFirstSaleDay(db: Db, zone: string): Promise<Temporal.PlainDate | null> {
  const row = await db
    .selectFrom('orders')
    .select(({ fn }) => fn.min('completed_at').as('at'))
    .executeTakeFirst()
  return row?.at
    ? Temporal.Instant.fromEpochMilliseconds(row.at.getTime()).toZonedDateTimeISO(zone).toPlainDate()
    : null
}

export async function countTransfers(db: Db, lateSince: Temporal.Instant): Promise<{ open: number; late: number }> {
  const row = await db
    .selectFrom('porting_requests')
    .select(({ fn, eb }) => [
      fn.countAll().as('open'),
      fn
        .countAll()
        .filterWhere(eb('created_at', '<=', toDate(lateSince)))
        .as('late'),
    ])
    .where('status', 'in', ['NEW', 'SUBMITTED', 'CANCELLING'])
    .executeTakeFirstOrThrow()
  return { open: Number(row.open), late: Number(row.late) }
}

/** Returns the most frequent reasons why payments were refused since `from`, an instant in real time. */
export async function countRefusals(db: Db, from: Date): Promise<{ refusal: string; times: number }[]> {
  const rows = await db
    .selectFrom('payment_attempts')
    .select(['refusal', sql<string>`count(*)`.as('times')])
    .where('state', '=', 'refused')
    .where('created_at', '>=', from)
    .groupBy('refusal')
    .orderBy('times', 'desc')
    .limit(4)
    .execute()
  return rows.map(({ refusal, times }) => ({ refusal: refusal ?? '', times: Number(times) }))
}
