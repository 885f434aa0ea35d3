import type { Market } from '#kit/contract/bootstrap.ts'
import type { Colours } from '#kit/contract/brand.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Jobs } from '#kit/server/jobs.ts'
import type { Log } from '#kit/server/log.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import type { MobileNetwork } from '#providers/network/network.port.ts'

/** What the life of a plan and of its number works with. */
export type PlanLifeDeps = {
  db: Db
  clock: Clock
  jobs: Jobs
  secrets: Secrets
  log: Log
  network: MobileNetwork
  market: Market
  brandName: string
  colours: Colours
  publicUrl: string
  /** Days for which a number stays its customer's after the plan's end. */
  numberKeptDays: number
}
