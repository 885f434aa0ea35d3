import { transact } from '#kit/server/db.ts'
import type { JobDefinition } from '#kit/server/jobs.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import type { RefundDeps } from './refunds.deps.ts'
import { settleRefundJob } from './refunds.queue.ts'
import { findRefund, takeRefundsDue } from './refunds.store.ts'
import { resumeRefund } from './refunds.ts'

export const refundJobs = (deps: RefundDeps): JobDefinition[] => [
  {
    name: settleRefundJob,
    async run({ refundId }: { refundId: string }) {
      const refund = await findRefund(deps.db, refundId)
      if (refund) await resumeRefund(deps, refund)
    },
  },
]

/** Finds refunds that the gateway has not answered, and those that a process left when it died. */
export const refundUpkeep = (deps: RefundDeps): Upkeep => ({
  name: 'refunds.waiting',
  everyMs: 1_000,
  run: () =>
    transact(deps.db, async (trx) => {
      for (const refundId of await takeRefundsDue(trx)) await deps.jobs.send(trx, settleRefundJob, { refundId })
    }),
})
