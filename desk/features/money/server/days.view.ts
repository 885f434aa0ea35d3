import { type RawBuilder, sql } from 'kysely'
import { type Clock, toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import { sumOf } from '#desk/features/today/server/days.ts'
import { countDays } from '#desk/features/today/server/figures.view.ts'

export type DaysDeps = { db: Db; clock: Clock; zone: string }
type KindSum = { count: number; cents: number }

export type MoneyDay = {
  day: Temporal.PlainDate
  takenCents: number
  givenCents: number
  disputedCents: number
  activations: KindSum
  renewals: KindSum
  addons: KindSum
  byCard: KindSum
  byVoucher: number
}

/**
 * Figures of consecutive days, oldest first.
 * The sums of a day with a row in `daily_figures` come from that row; other days are counted.
 */
export async function moneyOfDays(deps: DaysDeps, days: readonly Temporal.PlainDate[]): Promise<MoneyDay[]> {
  const { db, clock, zone } = deps
  if (days.length === 0) return []
  const spans = days.map((day) => ({
    begins: day.toZonedDateTime({ timeZone: zone }),
    ends: day.add({ days: 1 }).toZonedDateTime({ timeZone: zone }),
  }))
  const bounds = [...spans.map(({ begins }) => begins), spans.at(-1)!.ends].map((each) => each.toInstant())
  const written = await writtenSums(db, days)
  const missing = spans.flatMap((span, at) => (written.has(days[at]!.toString()) ? [] : [span]))
  const counted = new Map<string, { taken: number; given: number }>()
  for (const span of missing) {
    const { taken_cents: taken, given_cents: given } = sumOf((await countDays({ db, clock }, [span]))[0] ?? [])
    counted.set(span.begins.toPlainDate().toString(), { taken, given })
  }
  const sold = await soldIn(db, bounds.map(toDate))
  const real = bounds.map((each) => toDate(each.subtract({ milliseconds: clock.offset() })))
  const disputed = await disputedIn(db, real)
  return days.map((day, at) => {
    const sums = written.get(day.toString()) ?? counted.get(day.toString()) ?? { taken: 0, given: 0 }
    const of = (which: (row: Sold) => boolean): KindSum =>
      sold
        .filter((row) => row.bucket === at + 1 && which(row))
        .reduce((sum, { count, cents }) => ({ count: sum.count + count, cents: sum.cents + cents }), {
          count: 0,
          cents: 0,
        })
    return {
      day,
      takenCents: sums.taken,
      givenCents: sums.given,
      disputedCents: disputed.get(at + 1) ?? 0,
      activations: of(({ kind }) => kind === 'activation'),
      renewals: of(({ kind }) => kind === 'recharge'),
      addons: of(({ kind }) => kind === 'addon'),
      byCard: of(({ isPaid }) => isPaid),
      byVoucher: of(({ isPaid }) => !isPaid).count,
    }
  })
}

async function writtenSums(db: Db, days: readonly Temporal.PlainDate[]) {
  const rows = await db
    .selectFrom('daily_figures')
    .select([sql<string>`day::text`.as('day'), 'taken_cents', 'given_cents'])
    .where(sql<boolean>`day between ${days[0]!.toString()}::date and ${days.at(-1)!.toString()}::date`)
    .execute()
  return new Map(
    rows.map(({ day, taken_cents, given_cents }) => [day, { taken: Number(taken_cents), given: Number(given_cents) }]),
  )
}

/** The number of the day that contains a moment. The bounds delimit consecutive days, and the first day is 1. */
const bucketOf = (column: string, bounds: Date[]): RawBuilder<number> =>
  sql<number>`width_bucket(${sql.ref(column)}, array[${sql.join(bounds.map((at) => sql`${at}::timestamptz`))}])`

type Sold = { bucket: number; kind: string; isPaid: boolean; count: number; cents: number }

async function soldIn(db: Db, bounds: Date[]): Promise<Sold[]> {
  const rows = await db
    .selectFrom('orders')
    .select([
      bucketOf('completed_at', bounds).as('bucket'),
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

async function disputedIn(db: Db, bounds: Date[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('disputes')
    .select([bucketOf('created_at', bounds).as('bucket'), sql<string>`sum(amount_cents)`.as('cents')])
    .where('created_at', '>=', bounds[0]!)
    .where('created_at', '<', bounds.at(-1)!)
    // The same rule as `countsAsDisputed`.
    .where(sql<boolean>`case when outcome is null then state not in ('reversed', 'won') else outcome = 'lost' end`)
    .groupBy('bucket')
    .execute()
  return new Map(rows.map(({ bucket, cents }) => [bucket, Number(cents)]))
}
