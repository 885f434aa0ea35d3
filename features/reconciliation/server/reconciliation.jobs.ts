import { type JobDefinition, rowJob } from '#kit/server/jobs.ts'
import { pollDueRows } from '#kit/server/retry-queue.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import { beginNightlyRun, continueNightlyRun } from './nightly-run.ts'
import { nightlyRunQueue } from './nightly-runs.store.ts'
import type { ReconciliationDeps } from './reconciliation.deps.ts'

export const reconciliationJobs = (deps: ReconciliationDeps): JobDefinition[] => [
  rowJob(nightlyRunQueue, ({ key: night }) => continueNightlyRun(deps, night)),
]

/**
 * Starts the nightly reconciliation. It is not a sweep: after several missed nights only the latest one runs, and
 * moving a demo clock forward does not stop at each night.
 */
export const reconciliationUpkeep = (deps: ReconciliationDeps): Upkeep[] => [
  { name: 'reconciliation.night', everyMs: deps.thresholds.nightLookMs, run: () => beginNightlyRun(deps) },
  pollDueRows(deps, nightlyRunQueue, Math.min(1_000, deps.thresholds.nightPauseMs)),
]
