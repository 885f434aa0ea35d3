import { type RawBuilder, sql } from 'kysely'
import { type Clock, toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import { sumMinuteFigures } from '#desk/features/today/server/minute-figures.ts'
import { countDays } from '#desk/features/today/server/figures.view.ts'

export type DailyMoneyDeps = { db: Db; clock: Clock; zone: string }
type OrderTypeTotal = { count: number; cents: number }

export type DailyMoneyTotals = {
  day: Temporal.PlainDate
  takenCents: number
  givenCents: number
  disputedCents: number
  activations: OrderTypeTotal
  renewals: OrderTypeTotal
  addons: OrderTypeTotal
  byCard: OrderTypeTotal
  byVoucher: number
}

/**
 * Returns the figures for consecutive days, oldest first. Sums come from `daily_figures` if the day has a row there;
 * otherwise they are counted.
 */
export async function sumMoneyByDay(
  deps: DailyMoneyDeps,
  days: readonly Temporal.PlainDate[],
): Promise<DailyMoneyTotals[]> {
  const { db, clock, zone } = deps
  if (days.length === 0) return []
  const dayRanges = days.map((day) => ({
    begins: day.toZonedDateTime({ timeZone: zone }),
    ends: day.add({ days: 1 }).toZonedDateTime({ timeZone: zone }),
  }))
  const dayBoundaries = [...dayRanges.map(({ begins }) => begins), dayRanges.at(-1)!.ends].map((each) =>
    each.toInstant(),
  )
  const storedSums = await readStoredSums(db, days)
  const uncountedRanges = dayRanges.flatMap((span, at) => (storedSums.has(days[at]!.toString()) ? [] : [span]))
  const totalsByDay = new Map<string, { taken: number; given: number }>()
  for (const span of uncountedRanges) {
    const { taken_cents: taken, given_cents: given } = sumMinuteFigures(
      (await countDays({ db, clock }, [span]))[0] ?? [],
    )
    totalsByDay.set(span.begins.toPlainDate().toString(), { taken, given })
  }
  const sales = await countSales(db, dayBoundaries.map(toDate))
  const realTimeBounds = dayBoundaries.map((each) => toDate(each.subtract({ milliseconds: clock.offset() })))
  const disputedCentsByDay = await sumDisputes(db, realTimeBounds)
  return days.map((day, at) => {
    const sums = storedSums.get(day.toString()) ?? totalsByDay.get(day.toString()) ?? { taken: 0, given: 0 }
    const sumMatchingSales = (matches: (row: SalesRow) => boolean): OrderTypeTotal =>
      sales
        .filter((row) => row.bucket === at + 1 && matches(row))
        .reduce((sum, { count, cents }) => ({ count: sum.count + count, cents: sum.cents + cents }), {
          count: 0,
          cents: 0,
        })
    return {
      day,
      takenCents: sums.taken,
      givenCents: sums.given,
      disputedCents: disputedCentsByDay.get(at + 1) ?? 0,
      activations: sumMatchingSales(({ kind }) => kind === 'activation'),
      renewals: sumMatchingSales(({ kind }) => kind === 'recharge'),
      addons: sumMatchingSales(({ kind }) => kind === 'addon'),
      byCard: sumMatchingSales(({ isPaid }) => isPaid),
      byVoucher: sumMatchingSales(({ isPaid }) => !isPaid).count,
    }
  })
}

async function readStoredSums(db: Db, days: readonly Temporal.PlainDate[]) {
  const rows = await db
    .selectFrom('daily_figures')
    .select([sql<string>`day::text`.as('day'), 'taken_cents', 'given_cents'])
    .where(sql<boolean>`day between ${days[0]!.toString()}::date and ${days.at(-1)!.toString()}::date`)
    .execute()
  return new Map(
    rows.map(({ day, taken_cents, given_cents }) => [day, { taken: Number(taken_cents), given: Number(given_cents) }]),
  )
}

/**
 * SQL for the number of the day on which a timestamp falls; the first day is 1. `bounds` holds the instants at which one day ends and the
 * next begins.
 */
const selectBucket = (column: string, bounds: Date[]): RawBuilder<number> =>
  sql<number>`width_bucket(${sql.ref(column)}, array[${sql.join(bounds.map((at) => sql`${at}::timestamptz`))}])`

type SalesRow = { bucket: number; kind: string; isPaid: boolean; count: number; cents: number }

async function countSales(db: Db, bounds: Date[]): Promise<SalesRow[]> {
  const rows = await db
    .selectFrom('orders')
    .select([
      selectBucket('completed_at', bounds).as('bucket'),
      'kind',
      sql<boolean>`amount_cents > 0`.as('is_paid'),
      sql<string>`count(*)`.as('count'),
      sql<string>`sum(amount_cents)`.as('cents'),
    ])
    .where('completed_at', '>=', bounds[0]!)
    .where('completed_at', '<', bounds.at(-1)!)
    .groupBy(['bucket', 'kind', 'is_paid'])
    .execute()
  return rows.map(({ bucket, kind, is_paid: isPaid, count, cents }) => ({
    bucket,
    kind,
    isPaid,
    count: Number(count),
    cents: Number(cents),
  }))
}

async function sumDisputes(db: Db, bounds: Date[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('disputes')
    .select([selectBucket('created_at', bounds).as('bucket'), sql<string>`sum(amount_cents)`.as('cents')])
    .where('created_at', '>=', bounds[0]!)
    .where('created_at', '<', bounds.at(-1)!)
    // This condition must implement the same rule as `countsAsDisputed`.
    .where(sql<boolean>`case when outcome is null then state not in ('reversed', 'won') else outcome = 'lost' end`)
    .groupBy('bucket')
    .execute()
  return new Map(rows.map(({ bucket, cents }) => [bucket, Number(cents)]))
}
