import { dueBy } from '#kit/server/due.ts'
import type { JobDefinition } from '#kit/server/jobs.ts'
import type { Sweep, Upkeep } from '#kit/server/sweeps.ts'
import { expectMissingCycles, fetchDueCycles, readCycle } from './cycles.ts'
import { type CycleKey, cycleRows, nextDueCycle, purgeCycles } from './cycle-usage.store.ts'
import type { HistoryDeps } from './history.deps.ts'
import { nextDueSummary } from './yearly-summaries.store.ts'
import { sendDueSummaries } from './yearly-summary.ts'

export const historySweeps = (deps: HistoryDeps): Sweep[] => [
  {
    name: 'history.cycles',
    isDue: dueBy('cycle_usage', 'due_at'),
    next: () => nextDueCycle(deps.db),
    async run(now) {
      if (await fetchDueCycles(deps, now)) deps.jobs.fetchMore(deps.db, cycleRows.queue)
    },
  },
  {
    name: 'history.yearly',
    isDue: dueBy('yearly_summaries', 'due_at'),
    next: () => nextDueSummary(deps.db),
    run: (now) => sendDueSummaries(deps, now),
  },
]

export const historyJobs = (deps: HistoryDeps): JobDefinition[] => [
  {
    name: cycleRows.queue,
    fetch: () => fetchDueCycles(deps, deps.clock.now()),
    run: (cycle: CycleKey) => readCycle(deps, cycle),
  },
]

const keptMonths = 13

export const historyUpkeep = (deps: HistoryDeps): Upkeep[] => [
  { name: 'history.missing', everyMs: 300_000, run: () => expectMissingCycles(deps) },
  {
    name: 'history.old',
    everyMs: 3_600_000,
    run: () =>
      purgeCycles(
        deps.db,
        deps.clock.now().toZonedDateTimeISO(deps.market.zone).subtract({ months: keptMonths }).toInstant(),
      ),
  },
]
