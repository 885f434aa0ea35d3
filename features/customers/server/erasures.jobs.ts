import { type JobDefinition, createRowJob } from '#kit/server/jobs.ts'
import { pollDueRows } from '#kit/server/retry-queue.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import type { CustomersDeps } from './customers.deps.ts'
import { processErasure } from './erase-customer.ts'
import { erasureQueue, findErasure } from './erasures.store.ts'

export const erasureJobs = (deps: CustomersDeps): JobDefinition[] => [
  createRowJob(erasureQueue, async ({ key: userId }) => {
    const erasure = await findErasure(deps.db, userId)
    if (erasure) await processErasure(deps, erasure)
  }),
]

export const erasureUpkeep = (deps: CustomersDeps): Upkeep => pollDueRows(deps, erasureQueue)
