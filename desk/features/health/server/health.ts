import { type Clock, realNow } from '#kit/server/clock.ts'
import type { Sweep } from '#kit/server/sweeps.ts'
import { allowing } from '#kit/server/statement-bounds.ts'
import { listErrors } from '#features/error-reports/server/error-reports.store.ts'
import { readRuns } from '#desk/features/today/server/runs.view.ts'
import { presentRun } from '#desk/features/today/server/today.present.ts'
import type { Health, Late } from '../health.contract.ts'
import { presentError, presentQueue } from './health.present.ts'
import type { HealthDeps } from './health.deps.ts'
import { readMigration } from './queues.view.ts'

/**
 * Milliseconds per statement. A statement about queues can be slow while many jobs wait; the page then omits that
 * part.
 */
const mostMs = 2_000
const mostErrors = 20
/** Work that is overdue by this many seconds counts as late. Normally, due work is done within a second or two. */
const lateSeconds = 10

export async function lookAtHealth({ db, clock, jobs, log, running }: HealthDeps): Promise<Health> {
  const orNot = <T>(what: string, ask: () => Promise<T>): Promise<T | null> =>
    allowing({ statementMs: mostMs }, ask).catch((error: unknown) => {
      log.warn({ reason: String(error), what }, 'a part of the desk’s health page could not be read')
      return null
    })
  const queues = await orNot('queues', () => jobs.backlog(clock.now()))
  const busy = queues?.filter(({ waiting, failing }) => waiting > 0 || failing > 0)
  return {
    at: realNow().toString({ smallestUnit: 'second' }),
    runs: (await readRuns({ db, clock })).map(presentRun),
    queues: busy?.map(presentQueue) ?? null,
    late: await orNot('late', () => findLate(running.sweeps(), clock)),
    errors: (await listErrors(db, mostErrors)).map(presentError),
    version: {
      product: running.version,
      node: process.version,
      migration: await readMigration(db),
      fault: await running.fault(),
    },
  }
}

async function findLate(sweeps: Sweep[], clock: Clock): Promise<Late[]> {
  const late: Late[] = []
  for (const { name, next } of sweeps) {
    const due = await next()
    const seconds = due ? Math.round(clock.now().since(due).total('seconds')) : 0
    if (seconds >= lateSeconds) late.push({ sweep: name, seconds })
  }
  return late.toSorted((one, other) => other.seconds - one.seconds)
}
