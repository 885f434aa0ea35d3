import type { Sweep } from '#kit/server/sweeps.ts'
import { allowing, forManyRows } from '#kit/server/statement-bounds.ts'
import { fromDate } from '#kit/server/clock.ts'
import { newestOver, writtenAt } from './days.ts'
import type { FiguresDeps } from './figures.ts'
import { isMissing, newestDay, writeDays } from './figures.store.ts'
import { countDays, firstDay } from './figures.view.ts'

const atOnce = 31
/**
 * Number of days that the first run of an installation writes, because figures are compared with these days. `figures rebuild` writes all
 * days.
 */
const atFirst = 35
/** Number of written days that each run counts again. By then a payment that was under way at midnight has its outcome. */
const againDays = 7

/** Writes each finished day at ten past midnight in the market's zone, and catches up on missed days. */
export const dailyFiguresSweep = (deps: FiguresDeps): Sweep => ({
  name: 'figures.daily',
  isDue: ({ product }) => isMissing(newestOver(fromDate(product), deps.market.zone).toString()),
  // Never returns a future time, so the demo's clock does not stop for this sweep: a day can also be counted afterwards.
  async next() {
    const over = newestOver(deps.clock.now(), deps.market.zone)
    const newest = await newestDay(deps.db)
    return newest && Temporal.PlainDate.compare(newest, over) >= 0 ? null : writtenAt(over, deps.market.zone)
  },
  async run(now) {
    const over = newestOver(now, deps.market.zone)
    const newest = await newestDay(deps.db)
    if (newest && Temporal.PlainDate.compare(newest, over) >= 0) return
    const from = newest ? newest.subtract({ days: againDays - 1 }) : over.subtract({ days: atFirst - 1 })
    await writeSpan(deps, from, over)
  },
})

/**
 * Counts and writes the finished days again, from one day on or from the first day with a sale. Returns the number of days; 0 when the day
 * is not over yet, or nothing was ever sold.
 */
export async function rebuildFigures(deps: FiguresDeps, from: Temporal.PlainDate | null): Promise<number> {
  const begin = from ?? (await firstDay(deps.db, deps.market.zone))
  return begin ? writeSpan(deps, begin, newestOver(deps.clock.now(), deps.market.zone)) : 0
}

const writeSpan = (deps: FiguresDeps, from: Temporal.PlainDate, to: Temporal.PlainDate): Promise<number> =>
  allowing(forManyRows, async () => {
    const { db, clock, market } = deps
    const count = from.until(to, { largestUnit: 'days' }).days + 1
    for (let done = 0; done < count; done += atOnce) {
      const days = Array.from({ length: Math.min(atOnce, count - done) }, (_, at) => from.add({ days: done + at }))
      const spans = days.map((day) => ({
        begins: day.toZonedDateTime({ timeZone: market.zone }),
        ends: day.add({ days: 1 }).toZonedDateTime({ timeZone: market.zone }),
      }))
      const counted = await countDays({ db, clock }, spans)
      await writeDays(
        db,
        days.map((day, at) => ({ day: day.toString(), minutes: counted[at] ?? [] })),
      )
    }
    return Math.max(0, count)
  })
