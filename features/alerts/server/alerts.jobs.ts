import { transact } from '#kit/server/db.ts'
import { dueBy } from '#kit/server/due.ts'
import type { JobDefinition } from '#kit/server/job-definitions.ts'
import type { Sweep, Upkeep } from '#kit/server/sweeps.ts'
import type { AlertsDeps } from './alerts.deps.ts'
import { lookAtUseJob } from './alerts.queue.ts'
import { lookAtUse } from './look.ts'
import { takeDue, watchMissing } from './watch.store.ts'

/** The network answers in its own time: more than these are not asked for at once, by all processes together. */
const inHand = 500

export const alertSweeps = ({ db, jobs, thresholds }: AlertsDeps): Sweep[] => [
  {
    name: 'alerts.use',
    isDue: dueBy('usage_watch', 'due_at'),
    // A clock that is moved stops for no look: what is due by then is looked at where it comes to rest.
    next: async () => null,
    async run(now) {
      const batch = thresholds.usageLooks
      if (batch === 0) return
      await transact(db, async (trx) => {
        for (const { serviceId, until } of await takeDue(trx, now, { batch, inHand }))
          await jobs.send(trx, lookAtUseJob, { serviceId, until: until.toString() })
      })
    },
  },
]

export const alertJobs = (deps: AlertsDeps): JobDefinition[] => [
  {
    name: lookAtUseJob,
    run: ({ serviceId, until }: { serviceId: string; until: string }) =>
      lookAtUse(deps, { serviceId, until: Temporal.Instant.from(until) }),
  },
]

export const alertUpkeep = ({ db, clock }: AlertsDeps): Upkeep => ({
  name: 'alerts.missing',
  everyMs: 3_600_000,
  run: () => watchMissing(db, clock.now()),
})
