import type { Sweep } from '#kit/server/sweeps.ts'
import { allowing, forManyRows } from '#kit/server/statement-bounds.ts'
import { fromDate } from '#kit/server/clock.ts'
import { newestOver, writtenAt } from './days.ts'
import type { FiguresDeps } from './figures.ts'
import { isMissing, newestDay, writeDays } from './figures.store.ts'
import { countDays, firstDay } from './figures.view.ts'

/** So many days are counted in one question. */
const atOnce = 31
/** Of an installation whose days nobody has written yet so many: what is compared with. `figures rebuild` writes all. */
const atFirst = 35
/** By then a payment that was under way at midnight has its outcome. */
const againDays = 7

/** Writes each day that is over, at ten past midnight of the market; days that were missed are caught up on. */
export const dailyFiguresSweep = (deps: FiguresDeps): Sweep => ({
  name: 'figures.daily',
  isDue: ({ product }) => isMissing(newestOver(fromDate(product), deps.market.zone).toString()),
  // A day to come holds no demo's clock up: what was in it is counted afterwards as well.
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
 * Counts days anew that are over, from one on, or from the first on which anything was sold, and writes them down.
 * Answers how many; 0 when the day is not over yet, or nothing was ever sold.
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
