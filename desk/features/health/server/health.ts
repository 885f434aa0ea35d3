import { type Clock, realNow } from '#kit/server/clock.ts'
import type { Sweep } from '#kit/server/sweeps.ts'
import { withTimeouts } from '#kit/server/database-timeouts.ts'
import { listErrors } from '#features/error-reports/server/error-reports.store.ts'
import { readProviderStates } from '#desk/features/today/server/provider-states.view.ts'
import { presentProvider } from '#desk/features/today/server/today.present.ts'
import type { Health, OverdueSweep } from '../health.contract.ts'
import { presentError, presentQueue } from './health.present.ts'
import type { HealthDeps } from './health.deps.ts'
import { readMigration } from './migration.view.ts'

/**
 * Timeout per statement, in milliseconds. Statements about queues can be slow while many jobs are waiting. If one times
 * out, the page is shown without its figures.
 */
const maxMs = 2_000
const maxErrors = 20
/** Work that is overdue by this many seconds counts as late. Normally, work is done within a second or two of being due. */
const overdueSeconds = 10

export async function checkHealth({ db, clock, jobs, log, running }: HealthDeps): Promise<Health> {
  const readOrNull = <T>(what: string, read: () => Promise<T>): Promise<T | null> =>
    withTimeouts({ statementMs: maxMs }, read).catch((error: unknown) => {
      log.warn({ reason: String(error), what }, 'a part of the desk’s health page could not be read')
      return null
    })
  const queues = await readOrNull('queues', () => jobs.backlog(clock.now()))
  const busyQueues = queues?.filter(({ waiting, failing }) => waiting > 0 || failing > 0)
  return {
    at: realNow().toString({ smallestUnit: 'second' }),
    runs: (await readProviderStates({ db, clock })).map(presentProvider),
    queues: busyQueues?.map(presentQueue) ?? null,
    late: await readOrNull('late', () => findOverdueSweeps(running.sweeps(), clock)),
    errors: (await listErrors(db, maxErrors)).map(presentError),
    version: {
      product: running.version,
      node: process.version,
      migration: await readMigration(db),
      fault: await running.fault(),
    },
  }
}

async function findOverdueSweeps(sweeps: Sweep[], clock: Clock): Promise<OverdueSweep[]> {
  const overdueSweeps: OverdueSweep[] = []
  for (const { name, next } of sweeps) {
    const due = await next()
    const seconds = due ? Math.round(clock.now().since(due).total('seconds')) : 0
    if (seconds >= overdueSeconds) overdueSweeps.push({ sweep: name, seconds })
  }
  return overdueSweeps.toSorted((one, other) => other.seconds - one.seconds)
}
