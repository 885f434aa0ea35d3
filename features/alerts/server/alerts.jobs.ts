import { transact } from '#kit/server/db.ts'
import { dueBy } from '#kit/server/due.ts'
import type { JobDefinition } from '#kit/server/jobs.ts'
import type { Sweep, Upkeep } from '#kit/server/sweeps.ts'
import type { AlertsDeps } from './alerts.deps.ts'
import { lookAtUse } from './look.ts'
import { type Taken, takeDue, watchedRows, watchMissing } from './watch.store.ts'

/** Maximum usage queries in progress over all processes, because the network may answer slowly. */
const inHand = 500

export const alertSweeps = ({ db, jobs, thresholds }: AlertsDeps): Sweep[] => [
  {
    name: 'alerts.use',
    isDue: dueBy('usage_watch', 'due_at'),
    // The sweep does not stop a test clock on its way. Services that become due are queried once the clock has reached
    // its target.
    next: async () => null,
    async run(now) {
      const batch = Math.min(thresholds.usageLooks, jobs.wants(watchedRows.queue))
      if (batch === 0) return
      await transact(db, async (trx) => {
        for (const taken of await takeDue(trx, now, { batch, inHand })) jobs.takeOver(trx, watchedRows.queue, taken)
      })
    },
  },
]

export const alertJobs = (deps: AlertsDeps): JobDefinition[] => [
  { name: watchedRows.queue, run: (taken: Taken) => lookAtUse(deps, taken) },
]

export const alertUpkeep = ({ db, clock }: AlertsDeps): Upkeep => ({
  name: 'alerts.missing',
  everyMs: 3_600_000,
  run: () => watchMissing(db, clock.now()),
})
