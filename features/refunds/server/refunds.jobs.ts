import type { JobDefinition } from '#kit/server/job-definitions.ts'
import { retryUpkeep } from '#kit/server/retries.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import type { RefundDeps } from './refunds.deps.ts'
import { resolveRefundJob } from './refunds.queue.ts'
import { findRefund, refundRetries } from './refunds.store.ts'
import { resumeRefund } from './refunds.ts'

export const refundJobs = (deps: RefundDeps): JobDefinition[] => [
  {
    name: resolveRefundJob,
    async run({ refundId }: { refundId: string }) {
      const refund = await findRefund(deps.db, refundId)
      if (refund) await resumeRefund(deps, refund)
    },
  },
]

/** Finds refunds that the gateway has not answered, and those that a process left when it died. */
export const refundUpkeep = (deps: RefundDeps): Upkeep =>
  retryUpkeep(deps, refundRetries, 1_000, (refundId) => [resolveRefundJob, { refundId }])
