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

/** What the desk's first page is drawn from: today as it was counted last, and the same weekday a week before. */
export type Counts = { today: Day; before: Day; present: Present; beforeMinutes: Minute[] }

/** So long all who look, in every process, are told the same. */
const keptMs = 15_000

/**
 * The figures of the day: today's are counted at most once in 15 seconds, by one process for all, and those of a week before were
 * written when that day was over. Who looks at the same time in one process shares the question.
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
  // In the demo a clock that was moved makes it another day, or another hour of it.
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

/** Where much waits the question itself may take long: then the page does without its answer, and Health tells of it. */
const readJobs = (jobs: PresentDeps['jobs'], now: Temporal.Instant): Promise<Present['jobs']> =>
  allowing({ statementMs: 1_000 }, () => jobs.backlog(now)).then(
    (queues) => {
      const waiting = queues.filter((queue) => queue.waiting > 0).map(({ oldest }) => Math.floor(oldest))
      return { oldestSeconds: waiting.length > 0 ? Math.max(...waiting) : null }
    },
    () => null,
  )

/** A day that is over, as it was written; one that was not is counted. */
export async function minutesOf({ db, clock }: FiguresDeps, day: Day): Promise<Minute[]> {
  return (await findDay(db, nameOf(day))) ?? (await countDays({ db, clock }, [day]))[0] ?? []
}
