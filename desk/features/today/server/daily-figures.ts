import type { Sweep } from '#kit/server/sweeps.ts'
import { withTimeouts, bulkTimeouts } from '#kit/server/database-timeouts.ts'
import { fromDate } from '#kit/server/clock.ts'
import { getLastFinishedDay, getDayFiguresDueTime } from './minute-figures.ts'
import type { FiguresDeps } from './figures.ts'
import { isDayMissing, findNewestDay, writeDailyFigures } from './figures.store.ts'
import { countDays, findFirstSaleDay } from './figures.view.ts'

const maxBatchDays = 31
/**
 * The first run writes the figures of this many past days, because today's figures are compared with them. `figures rebuild` writes all
 * days.
 */
const initialBackfillDays = 35
/** Each run recounts this many days, because a payment that was pending at midnight gets its outcome later. */
const recountPeriodDays = 7

/** Writes each day's figures at ten past midnight in the market's time zone, and catches up on missed days. */
export const dailyFiguresSweep = (deps: FiguresDeps): Sweep => ({
  name: 'figures.daily',
  isDue: ({ product }) => isDayMissing(getLastFinishedDay(fromDate(product), deps.market.zone).toString()),
  // Never returns a future time, so that the demo's clock does not pause here while it is moved. A day can just as well be counted later.
  async next() {
    const over = getLastFinishedDay(deps.clock.now(), deps.market.zone)
    const newest = await findNewestDay(deps.db)
    return newest && Temporal.PlainDate.compare(newest, over) >= 0 ? null : getDayFiguresDueTime(over, deps.market.zone)
  },
  async run(now) {
    const over = getLastFinishedDay(now, deps.market.zone)
    const newest = await findNewestDay(deps.db)
    if (newest && Temporal.PlainDate.compare(newest, over) >= 0) return
    const from = newest
      ? newest.subtract({ days: recountPeriodDays - 1 })
      : over.subtract({ days: initialBackfillDays - 1 })
    await writeDailyFiguresRange(deps, from, over)
  },
})

/**
 * Recounts and writes the figures of finished days, from the given day or from the first day with a sale. Returns the
 * number of days; 0 if the given day is not over yet, or if nothing has ever been sold.
 */
export async function rebuildDailyFigures(deps: FiguresDeps, from: Temporal.PlainDate | null): Promise<number> {
  const startDay = from ?? (await findFirstSaleDay(deps.db, deps.market.zone))
  return startDay ? writeDailyFiguresRange(deps, startDay, getLastFinishedDay(deps.clock.now(), deps.market.zone)) : 0
}

const writeDailyFiguresRange = (deps: FiguresDeps, from: Temporal.PlainDate, to: Temporal.PlainDate): Promise<number> =>
  withTimeouts(bulkTimeouts, async () => {
    const { db, clock, market } = deps
    const count = from.until(to, { largestUnit: 'days' }).days + 1
    for (let done = 0; done < count; done += maxBatchDays) {
      const days = Array.from({ length: Math.min(maxBatchDays, count - done) }, (_, at) =>
        from.add({ days: done + at }),
      )
      const dayRanges = days.map((day) => ({
        begins: day.toZonedDateTime({ timeZone: market.zone }),
        ends: day.add({ days: 1 }).toZonedDateTime({ timeZone: market.zone }),
      }))
      const dayCounts = await countDays({ db, clock }, dayRanges)
      await writeDailyFigures(
        db,
        days.map((day, at) => ({ day: day.toString(), minutes: dayCounts[at] ?? [] })),
      )
    }
    return Math.max(0, count)
  })
