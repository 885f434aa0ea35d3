import { type JobDefinition, rowJob } from '#kit/server/jobs.ts'
import { retryUpkeep } from '#kit/server/retries.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import { beginNight, continueNight } from './nights.ts'
import { nightRetries } from './nights.store.ts'
import type { ReconciliationDeps } from './reconciliation.deps.ts'

export const reconciliationJobs = (deps: ReconciliationDeps): JobDefinition[] => [
  rowJob(nightRetries, ({ key: night }) => continueNight(deps, night)),
]

/**
 * Starts the nightly comparison. This is not a sweep: after several missed nights only the latest runs, and a clock
 * that is moved forward need not stop at each night.
 */
export const reconciliationUpkeep = (deps: ReconciliationDeps): Upkeep[] => [
  { name: 'reconciliation.night', everyMs: deps.thresholds.nightLookMs, run: () => beginNight(deps) },
  retryUpkeep(deps, nightRetries, Math.min(1_000, deps.thresholds.nightPauseMs)),
]
