import type { Db } from '#kit/server/db.ts'
import { isDueInRealTime } from '#kit/server/due-conditions.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import { listTimedOutBatches, transitionBatch } from './voucher-batches.store.ts'

export const voucherBatchUpkeep = ({ db }: { db: Db }): Upkeep => ({
  name: 'voucher-batches.silent',
  everyMs: 5_000,
  isDue: isDueInRealTime('voucher_batches', 'retry_at'),
  async run() {
    for (const batch of await listTimedOutBatches(db)) await transitionBatch(db, batch, 'broken_off')
  },
})
