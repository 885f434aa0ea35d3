import type { JobDefinition } from '#kit/server/job-definitions.ts'
import { retryUpkeep } from '#kit/server/retries.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import type { CustomersDeps } from './customers.deps.ts'
import { resolveErasure } from './erase.ts'
import { erasureRetries, findErasure } from './erasures.store.ts'
import { eraseJob } from './erasures.queue.ts'

export const erasureJobs = (deps: CustomersDeps): JobDefinition[] => [
  {
    name: eraseJob,
    async run({ userId }: { userId: string }) {
      const erasure = await findErasure(deps.db, userId)
      if (erasure) await resolveErasure(deps, erasure)
    },
  },
]

/** What gateway and network have not done yet is looked at again. */
export const erasureUpkeep = (deps: CustomersDeps): Upkeep =>
  retryUpkeep(deps, erasureRetries, 1_000, (userId) => [eraseJob, { userId }])
