import { type JobDefinition, rowJob } from '#kit/server/jobs.ts'
import { retryUpkeep } from '#kit/server/retry-queue.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import type { AuthDeps } from './auth.deps.ts'
import { processResetRequest } from './password-reset.ts'
import { purgeResetRequests, resetRequestRetries } from './password-reset-requests.store.ts'

export const passwordJobs = (deps: AuthDeps): JobDefinition[] => [
  rowJob(resetRequestRetries, ({ key: requestId }) => processResetRequest(deps, requestId)),
]

export const passwordUpkeep = (deps: AuthDeps): Upkeep[] => [
  retryUpkeep(deps, resetRequestRetries),
  { name: 'password-resets.old', everyMs: 3_600_000, run: () => purgeResetRequests(deps.db) },
]
