import type { Db } from '#kit/server/db.ts'
import { dueInRealTimeBy } from '#kit/server/due.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import { listTimedOutBatches, moveBatch } from './voucher-batches.store.ts'

export const voucherBatchUpkeep = ({ db }: { db: Db }): Upkeep => ({
  name: 'voucher-batches.silent',
  everyMs: 5_000,
  isDue: dueInRealTimeBy('voucher_batches', 'retry_at'),
  async run() {
    for (const batch of await listTimedOutBatches(db)) await moveBatch(db, batch, 'broken_off')
  },
})
