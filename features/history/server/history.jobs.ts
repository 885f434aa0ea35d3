import { isDueByApplicationClock } from '#kit/server/due-conditions.ts'
import type { JobDefinition } from '#kit/server/jobs.ts'
import type { Sweep, Upkeep } from '#kit/server/sweeps.ts'
import { createMissingCycles, startDueCycleReads, readCycleUsage } from './cycles.ts'
import { type CycleKey, cycleSweep, findNextDueCycle, purgeCycles } from './cycle-usage.store.ts'
import type { HistoryDeps } from './history.deps.ts'
import { findNextDueSummary } from './yearly-summaries.store.ts'
import { sendDueSummaries } from './yearly-summary.ts'

export const historySweeps = (deps: HistoryDeps): Sweep[] => [
  {
    name: 'history.cycles',
    isDue: isDueByApplicationClock('cycle_usage', 'due_at'),
    next: () => findNextDueCycle(deps.db),
    async run(now) {
      if (await startDueCycleReads(deps, now)) deps.jobs.fetchMore(deps.db, cycleSweep.queue)
    },
  },
  {
    name: 'history.yearly',
    isDue: isDueByApplicationClock('yearly_summaries', 'due_at'),
    next: () => findNextDueSummary(deps.db),
    run: (now) => sendDueSummaries(deps, now),
  },
]

export const historyJobs = (deps: HistoryDeps): JobDefinition[] => [
  {
    name: cycleSweep.queue,
    fetch: () => startDueCycleReads(deps, deps.clock.now()),
    run: (cycle: CycleKey) => readCycleUsage(deps, cycle),
  },
]

const retentionMonths = 13

export const historyUpkeep = (deps: HistoryDeps): Upkeep[] => [
  { name: 'history.missing', everyMs: 300_000, run: () => createMissingCycles(deps) },
  {
    name: 'history.old',
    everyMs: 3_600_000,
    run: () =>
      purgeCycles(
        deps.db,
        deps.clock.now().toZonedDateTimeISO(deps.market.zone).subtract({ months: retentionMonths }).toInstant(),
      ),
  },
]
