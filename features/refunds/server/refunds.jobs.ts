import { type JobDefinition, createRowJob } from '#kit/server/jobs.ts'
import { pollDueRows } from '#kit/server/retry-queue.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import type { RefundDeps } from './refunds.deps.ts'
import { findRefund, refundQueue } from './refunds.store.ts'
import { resumeRefund } from './refunds.ts'

export const refundJobs = (deps: RefundDeps): JobDefinition[] => [
  createRowJob(refundQueue, async ({ key: refundId }) => {
    const refund = await findRefund(deps.db, refundId)
    if (refund) await resumeRefund(deps, refund)
  }),
]

export const refundUpkeep = (deps: RefundDeps): Upkeep => pollDueRows(deps, refundQueue)
