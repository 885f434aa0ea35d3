import type { Market } from '#kit/contract/bootstrap.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Jobs } from '#kit/server/jobs.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'

export type StockDeps = {
  db: Db
  clock: Clock
  jobs: Jobs
  secrets: Secrets
  market: Pick<Market, 'phoneRegion'>
  /** An operator task is created when fewer unused SIM packs than this are left; 0 disables the task. */
  simStockLevel: number
  thresholds: Pick<Thresholds, 'lookMs'>
}
