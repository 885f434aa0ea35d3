import type { Market } from '#kit/contract/bootstrap.ts'
import type { Colours } from '#kit/contract/brand.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { Jobs } from '#kit/server/jobs.ts'
import type { Log } from '#kit/server/log.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import type { MobileNetwork } from '#providers/network/network.port.ts'

/** What begins a plan works with. */
export type PlanDeps = {
  clock: Clock
  market: Market
  /** Days for which a number stays its customer's after the plan's end. */
  numberKeptDays: number
  /** A plan has begun, and when it ends: auto-renewal starts anew. Wired where everything is, for it leans on services. */
  planBegan(trx: Trx, serviceId: string, expiresAt: Temporal.Instant): Promise<void>
}

/** What the life of a plan and of its number works with. */
export type PlanLifeDeps = PlanDeps & {
  db: Db
  jobs: Jobs
  secrets: Secrets
  log: Log
  network: MobileNetwork
  brandName: string
  colours: Colours
  publicUrl: string
}
