import type { Market } from '#kit/contract/bootstrap.ts'
import { type Clock, realNow, toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Jobs } from '#kit/server/jobs.ts'
import { keptFor } from '#kit/server/kept-for.ts'
import { allowing } from '#kit/server/statement-bounds.ts'
import { lateSince } from '#features/porting/server/porting-hours.ts'
import { readStockLeft } from '#desk/features/stock/server/stock.view.ts'
import { type Day, dayAt, type Minute, nameOf } from './days.ts'
import { claimPresent, findDay, type Present, readPresent, writePresent } from './figures.store.ts'
import { countDays, countRefusals, countTransfers } from './figures.view.ts'

export type FiguresDeps = { db: Db; clock: Clock; market: Pick<Market, 'zone' | 'code'> }
export type PresentDeps = FiguresDeps & { jobs: Pick<Jobs, 'backlog'> }

export type Counts = { today: Day; before: Day; present: Present; beforeMinutes: Minute[] }

const keptMs = 15_000

/**
 * The figures of the day. Today is counted at most once in 15 seconds, by one process for all processes. The day a week ago was written
 * when it was over. Concurrent callers in one process share one count.
 */
export const keepFigures = (deps: PresentDeps): (() => Promise<Counts>) =>
  keptFor(
    () => 0,
    async () => {
      const present = await presentFigures(deps)
      const { today, before } = dayAt(Temporal.Instant.from(present.at), deps.market.zone)
      return { today, before, present, beforeMinutes: await minutesOf(deps, before) }
    },
  )

async function presentFigures(deps: PresentDeps): Promise<Present> {
  const { db, clock, market } = deps
  const [real, offset] = [realNow(), Math.round(clock.offset())]
  const kept = await readPresent(db)
  // In the demo, the clock may have been moved to another day, or to another hour of the day.
  const isOfToday = kept?.offsetMs === offset && kept.figures.day === nameOf(dayAt(clock.now(), market.zone).today)
  if (kept && isOfToday) {
    if (real.epochMilliseconds - kept.countedAt.getTime() < keptMs) return kept.figures
    if (!(await claimPresent(db))) return kept.figures
  }
  const figures = await countPresent(deps)
  await writePresent(db, { countedAt: real, offsetMs: offset, figures })
  return figures
}

async function countPresent({ db, clock, jobs, market }: PresentDeps): Promise<Present> {
  const now = clock.now()
  const { today } = dayAt(now, market.zone)
  const [minutes = []] = await countDays({ db, clock }, [today])
  const weekAgo = today.now.subtract({ days: 7 }).toInstant().subtract({ milliseconds: clock.offset() })
  return {
    day: nameOf(today),
    at: now.toString(),
    minutes,
    transfers: await countTransfers(db, lateSince(now, market)),
    refusals: await countRefusals(db, toDate(weekAgo)),
    stock: await readStockLeft(db, clock),
    jobs: await readJobs(jobs, now),
  }
}

/** With a long backlog the query itself may take long. The page then goes without its result, and Health shows the backlog. */
const readJobs = (jobs: PresentDeps['jobs'], now: Temporal.Instant): Promise<Present['jobs']> =>
  allowing({ statementMs: 1_000 }, () => jobs.backlog(now)).then(
    (queues) => {
      const waiting = queues.filter((queue) => queue.waiting > 0).map(({ oldest }) => Math.floor(oldest))
      return { oldestSeconds: waiting.length > 0 ? Math.max(...waiting) : null }
    },
    () => null,
  )

export async function minutesOf({ db, clock }: FiguresDeps, day: Day): Promise<Minute[]> {
  return (await findDay(db, nameOf(day))) ?? (await countDays({ db, clock }, [day]))[0] ?? []
}
