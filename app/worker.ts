import { forgetOldCounts } from '#kit/server/limits.ts'
import type { JobDefinition } from '#kit/server/jobs.ts'
import type { Deadline, Upkeep } from '#kit/server/sweeps.ts'
import { activationDeadlines } from '#features/activation/server/activation.jobs.ts'
import { messageJobs, messageUpkeep } from '#features/messages/server/messages.jobs.ts'
import { sendMessageJob } from '#features/messages/server/messages.queue.ts'
import { orderDeadlines, orderJobs, orderUpkeep } from '#features/orders/server/orders.jobs.ts'
import { advanceOrderJob } from '#features/orders/server/orders.queue.ts'
import { followPortJob, portingJobs, portingUpkeep } from '#features/porting/server/porting.jobs.ts'
import type { Deps } from './deps.ts'

/** Every queue: they exist before anybody sends to them. */
export const queues = [advanceOrderJob, followPortJob, sendMessageJob]

export const jobs = (deps: Deps): JobDefinition[] => [...orderJobs(deps), ...portingJobs(deps), ...messageJobs(deps)]

export const upkeep = (deps: Deps): Upkeep[] => [
  ...orderUpkeep(deps),
  portingUpkeep(deps),
  messageUpkeep(deps),
  { name: 'limits.old', everyMs: 3_600_000, run: () => forgetOldCounts(deps.db) },
]

/** Everything that is due at some instant of the product's clock. */
export const deadlines = (deps: Deps): Deadline[] => [...activationDeadlines(deps), ...orderDeadlines(deps)]
