import { type JobDefinition, createRowJob } from '#kit/server/jobs.ts'
import { pollDueRows } from '#kit/server/retry-queue.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import { beginNightlyRun, continueNightlyRun } from './nightly-run.ts'
import { nightlyRunQueue } from './nightly-runs.store.ts'
import type { ReconciliationDeps } from './reconciliation.deps.ts'

export const reconciliationJobs = (deps: ReconciliationDeps): JobDefinition[] => [
  createRowJob(nightlyRunQueue, ({ key: night }) => continueNightlyRun(deps, night)),
]

/**
 * Starts the nightly reconciliation. After several missed nights, only the latest one is reconciled. The nights that a
 * demo clock skips are not reconciled one by one either.
 */
export const reconciliationUpkeep = (deps: ReconciliationDeps): Upkeep[] => [
  { name: 'reconciliation.night', everyMs: deps.thresholds.nightLookMs, run: () => beginNightlyRun(deps) },
  pollDueRows(deps, nightlyRunQueue, Math.min(1_000, deps.thresholds.nightPauseMs)),
]
