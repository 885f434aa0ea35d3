import { type ColumnType, type RawBuilder, sql } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Json } from '#kit/server/json.ts'
import type { StockLevel } from '#desk/features/stock/server/stock.view.ts'
import { type MinuteFigures, sumMinuteFigures } from './minute-figures.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    daily_figures: {
      day: ColumnType<never, string, string>
      activated: number
      renewed: number
      renewed_by_themselves: number
      addons: number
      taken_cents: number
      given_cents: number
      payments_asked: number
      payments_refused: number
      minutes: Json<MinuteFigures[]>
      written_at: Date
    }
    present_figures: {
      // This table has a single row.
      single?: never
      counted_at: Date
      offset_ms: ColumnType<string, number, number>
      counting_since: Date | null
      figures: Json<CurrentFigures>
    }
  }
}

export type CurrentFigures = {
  day: string
  /** When the figures were counted, by the application's clock. */
  at: string
  minutes: MinuteFigures[]
  transfers: { open: number; late: number }
  refusals: { refusal: string; times: number }[]
  stock: StockLevel[]
  /** `null` if the database did not report the job queues in time. */
  jobs: { oldestSeconds: number | null } | null
}

/** Writes the figures of finished days, replacing any existing figures for the same days. */
export async function writeDailyFigures(db: Db, days: { day: string; minutes: MinuteFigures[] }[]): Promise<void> {
  if (days.length === 0) return
  await db
    .insertInto('daily_figures')
    .values(
      days.map(({ day, minutes }) => {
        const { by_themselves, asked, refused, ...sums } = sumMinuteFigures(minutes)
        return {
          day,
          ...sums,
          renewed_by_themselves: by_themselves,
          payments_asked: asked,
          payments_refused: refused,
          minutes: JSON.stringify(minutes),
          written_at: toDate(realNow()),
        }
      }),
    )
    .onConflict((conflict) =>
      conflict.column('day').doUpdateSet(({ ref }) => ({
        activated: ref('excluded.activated'),
        renewed: ref('excluded.renewed'),
        renewed_by_themselves: ref('excluded.renewed_by_themselves'),
        addons: ref('excluded.addons'),
        taken_cents: ref('excluded.taken_cents'),
        given_cents: ref('excluded.given_cents'),
        payments_asked: ref('excluded.payments_asked'),
        payments_refused: ref('excluded.payments_refused'),
        minutes: ref('excluded.minutes'),
        written_at: ref('excluded.written_at'),
      })),
    )
    .execute()
}

export async function findDailyFigures(db: Db, day: string): Promise<MinuteFigures[] | null> {
  const row = await db
    .selectFrom('daily_figures')
    .select('minutes')
    .where(sql<boolean>`day = ${day}::date`)
    .executeTakeFirst()
  return row?.minutes ?? null
}

export async function findNewestDay(db: Db): Promise<Temporal.PlainDate | null> {
  const row = await db
    .selectFrom('daily_figures')
    .select(sql<string | null>`max(day)::text`.as('day'))
    .executeTakeFirst()
  return row?.day ? Temporal.PlainDate.from(row.day) : null
}

/** SQL condition for use in another query. True if neither this day nor any later day has been written to `daily_figures`. */
export const isDayMissing = (day: string): RawBuilder<boolean> =>
  sql<boolean>`not exists (select from daily_figures where day >= ${day}::date)`

type StoredFigures = { countedAt: Date; offsetMs: number; figures: CurrentFigures }

export async function readCurrentFigures(db: Db): Promise<StoredFigures | null> {
  const row = await db.selectFrom('present_figures').select(['counted_at', 'offset_ms', 'figures']).executeTakeFirst()
  // Figures stored by an older version lack `jobs`; treat them as missing.
  if (!row || !('jobs' in row.figures)) return null
  return { countedAt: row.counted_at, offsetMs: Number(row.offset_ms), figures: row.figures }
}

/** If a different process has been counting for more than this many milliseconds, it is presumed dead. */
const countingTimeoutMs = 10_000

/** Reserves the next count of the figures for this process. Returns `false` while a different process is counting. */
export async function claimFiguresUpdate(db: Db): Promise<boolean> {
  const now = realNow()
  const { numUpdatedRows } = await db
    .updateTable('present_figures')
    .set({ counting_since: toDate(now) })
    .where(({ eb, or }) =>
      or([
        eb('counting_since', 'is', null),
        eb('counting_since', '<', toDate(now.subtract({ milliseconds: countingTimeoutMs }))),
      ]),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function writeCurrentFigures(
  db: Db,
  { countedAt, offsetMs, figures }: { countedAt: Temporal.Instant; offsetMs: number; figures: CurrentFigures },
): Promise<void> {
  const row = {
    counted_at: toDate(countedAt),
    offset_ms: Math.round(offsetMs),
    counting_since: null,
    figures: JSON.stringify(figures),
  }
  await db
    .insertInto('present_figures')
    .values(row)
    .onConflict((conflict) => conflict.column('single').doUpdateSet(row))
    .execute()
}
