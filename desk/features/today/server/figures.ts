import type { Market } from '#kit/contract/bootstrap.ts'
import { type Clock, realNow, toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Jobs } from '#kit/server/jobs.ts'
import { cached } from '#kit/server/cached.ts'
import { withTimeouts } from '#kit/server/database-timeouts.ts'
import { computeLateRequestCutoff } from '#features/porting/server/porting-hours.ts'
import { readStockLevels } from '#desk/features/stock/server/stock.view.ts'
import { type Day, dayAt, type MinuteFigures, toIsoDate } from './minute-figures.ts'
import {
  claimFiguresUpdate,
  findDailyFigures,
  type CurrentFigures,
  readCurrentFigures,
  writeCurrentFigures,
} from './figures.store.ts'
import { countDays, countRefusals, countTransfers } from './figures.view.ts'

export type FiguresDeps = { db: Db; clock: Clock; market: Pick<Market, 'zone' | 'code'> }
export type CurrentFiguresDeps = FiguresDeps & { jobs: Pick<Jobs, 'backlog'> }

export type TodayCounts = { today: Day; before: Day; present: CurrentFigures; beforeMinutes: MinuteFigures[] }

const cacheLifetimeMs = 15_000

/**
 * Reads the day's figures. Today is counted at most every 15 seconds, by one process on behalf of all. The figures for
 * the same day a week ago were stored when that day ended. Concurrent callers in one process share one count.
 */
export const createFiguresReader = (deps: CurrentFiguresDeps): (() => Promise<TodayCounts>) =>
  cached(
    () => 0,
    async () => {
      const currentFigures = await readOrCountFigures(deps)
      const { today, before } = dayAt(Temporal.Instant.from(currentFigures.at), deps.market.zone)
      return { today, before, present: currentFigures, beforeMinutes: await readMinutes(deps, before) }
    },
  )

async function readOrCountFigures(deps: CurrentFiguresDeps): Promise<CurrentFigures> {
  const { db, clock, market } = deps
  const [real, offset] = [realNow(), Math.round(clock.offset())]
  const storedFigures = await readCurrentFigures(db)
  // In a demo, someone may have moved the clock to a different day or hour since the figures were counted.
  const isFromToday =
    storedFigures?.offsetMs === offset && storedFigures.figures.day === toIsoDate(dayAt(clock.now(), market.zone).today)
  if (storedFigures && isFromToday) {
    if (real.epochMilliseconds - storedFigures.countedAt.getTime() < cacheLifetimeMs) return storedFigures.figures
    if (!(await claimFiguresUpdate(db))) return storedFigures.figures
  }
  const figures = await countCurrentFigures(deps)
  await writeCurrentFigures(db, { countedAt: real, offsetMs: offset, figures })
  return figures
}

async function countCurrentFigures({ db, clock, jobs, market }: CurrentFiguresDeps): Promise<CurrentFigures> {
  const now = clock.now()
  const { today } = dayAt(now, market.zone)
  const [minutes = []] = await countDays({ db, clock }, [today])
  const weekAgo = today.now.subtract({ days: 7 }).toInstant().subtract({ milliseconds: clock.offset() })
  return {
    day: toIsoDate(today),
    at: now.toString(),
    minutes,
    transfers: await countTransfers(db, computeLateRequestCutoff(now, market)),
    refusals: await countRefusals(db, toDate(weekAgo)),
    stock: await readStockLevels(db, clock),
    jobs: await readJobs(jobs, now),
  }
}

/**
 * Reads the job backlog. If many jobs are waiting, this query can be slow. The page then omits the result; the Health
 * page shows the backlog.
 */
const readJobs = (jobs: CurrentFiguresDeps['jobs'], now: Temporal.Instant): Promise<CurrentFigures['jobs']> =>
  withTimeouts({ statementMs: 1_000 }, () => jobs.backlog(now)).then(
    (queues) => {
      const queueAges = queues.filter((queue) => queue.waiting > 0).map(({ oldest }) => Math.floor(oldest))
      return { oldestSeconds: queueAges.length > 0 ? Math.max(...queueAges) : null }
    },
    () => null,
  )

export async function readMinutes({ db, clock }: FiguresDeps, day: Day): Promise<MinuteFigures[]> {
  return (await findDailyFigures(db, toIsoDate(day))) ?? (await countDays({ db, clock }, [day]))[0] ?? []
}
