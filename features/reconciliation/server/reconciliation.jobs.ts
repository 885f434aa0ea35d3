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
 * Has what was sold compared every night. It is no sweep: of many nights that went by unseen the last one does, and a clock that is
 * moved need not stop at each of them.
 */
export const reconciliationUpkeep = (deps: ReconciliationDeps): Upkeep[] => [
  { name: 'reconciliation.night', everyMs: deps.thresholds.nightLookMs, run: () => beginNight(deps) },
  retryUpkeep(deps, nightRetries, Math.min(1_000, deps.thresholds.nightPauseMs)),
]
