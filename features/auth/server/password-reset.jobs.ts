import { type JobDefinition, createRowJob } from '#kit/server/jobs.ts'
import { pollDueRows } from '#kit/server/retry-queue.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import type { AuthDeps } from './auth.deps.ts'
import { processResetRequest } from './password-reset.ts'
import { purgeResetRequests, resetRequestQueue } from './password-reset-requests.store.ts'

export const passwordJobs = (deps: AuthDeps): JobDefinition[] => [
  createRowJob(resetRequestQueue, ({ key: requestId }) => processResetRequest(deps, requestId)),
]

export const passwordUpkeep = (deps: AuthDeps): Upkeep[] => [
  pollDueRows(deps, resetRequestQueue),
  { name: 'password-resets.old', everyMs: 3_600_000, run: () => purgeResetRequests(deps.db) },
]
