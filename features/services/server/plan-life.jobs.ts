import { isDueByApplicationClock } from '#kit/server/due-conditions.ts'
import { type JobDefinition, createRowJob } from '#kit/server/jobs.ts'
import { pollDueRows } from '#kit/server/retry-queue.ts'
import type { Sweep, Upkeep } from '#kit/server/sweeps.ts'
import { findNextDeadline } from './deadlines.store.ts'
import type { PlanLifeDeps } from './plan-life.deps.ts'
import { processDueDeadlines } from './plan-life.ts'
import { processRelease } from './release-number.ts'
import { numberReleaseQueue } from './releases.store.ts'

export const planLifeSweeps = (deps: PlanLifeDeps): Sweep[] => [
  {
    name: 'services.plan-life',
    isDue: isDueByApplicationClock('service_deadlines', 'due_at'),
    next: () => findNextDeadline(deps.db),
    run: (now) => processDueDeadlines(deps, now),
  },
]

export const planLifeJobs = (deps: PlanLifeDeps): JobDefinition[] => [
  createRowJob(numberReleaseQueue, ({ key: serviceId }) => processRelease(deps, serviceId)),
]

export const planLifeUpkeep = (deps: PlanLifeDeps): Upkeep => pollDueRows(deps, numberReleaseQueue)
