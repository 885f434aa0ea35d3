import { transact } from '#kit/server/db.ts'
import { isDueByApplicationClock } from '#kit/server/due-conditions.ts'
import type { JobDefinition } from '#kit/server/jobs.ts'
import type { Sweep, Upkeep } from '#kit/server/sweeps.ts'
import type { AlertsDeps } from './alerts.deps.ts'
import { pollUsage } from './poll-usage.ts'
import { type LeasedWatch, leaseDueWatches, watchSweep, insertMissingWatches } from './watch.store.ts'

/** Maximum concurrent usage queries across all processes, because the network may respond slowly. */
const maxLeasedWatches = 500

export const alertSweeps = ({ db, jobs, thresholds }: AlertsDeps): Sweep[] => [
  {
    name: 'alerts.use',
    isDue: isDueByApplicationClock('usage_watch', 'due_at'),
    // Do not stop an advancing test clock for each due service. All due services are checked once the clock has reached its target.
    next: async () => null,
    async run(now) {
      const batchSize = Math.min(thresholds.usageLooks, jobs.wants(watchSweep.queue))
      if (batchSize === 0) return
      await transact(db, async (trx) => {
        for (const leasedRow of await leaseDueWatches(trx, now, { batch: batchSize, inHand: maxLeasedWatches }))
          jobs.takeOver(trx, watchSweep.queue, leasedRow)
      })
    },
  },
]

export const alertJobs = (deps: AlertsDeps): JobDefinition[] => [
  { name: watchSweep.queue, run: (taken: LeasedWatch) => pollUsage(deps, taken) },
]

export const alertUpkeep = ({ db, clock }: AlertsDeps): Upkeep => ({
  name: 'alerts.missing',
  everyMs: 3_600_000,
  run: () => insertMissingWatches(db, clock.now()),
})
