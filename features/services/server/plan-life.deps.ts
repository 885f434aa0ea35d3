import type { Help, Market } from '#kit/contract/bootstrap.ts'
import type { Colours } from '#kit/contract/brand.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { Jobs } from '#kit/server/jobs.ts'
import type { Log } from '#kit/server/log.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import type { MobileNetwork } from '#providers/network/network.port.ts'
import type { ServiceRow, ServiceWithPlan } from './plan-life.store.ts'

export type PlanScheduleDeps = {
  clock: Clock
  market: Market
  /** Days for which a number stays reserved for its customer after the plan's end. */
  numberKeptDays: number
  brandShortName: string
  /**
   * Called when plans have begun, to restart auto-renewal. Injected from `app/`, because auto-renewal depends on
   * services.
   */
  plansBegan(trx: Trx, plans: readonly { serviceId: string; expiresAt: Temporal.Instant }[]): Promise<void>
}

export type PlanLifeDeps = PlanScheduleDeps & {
  db: Db
  jobs: Jobs
  secrets: Secrets
  log: Log
  network: MobileNetwork
  /** Maximum number of concurrent batches. */
  atOnce: number
  brandName: string
  colours: Colours
  help: Help
  publicUrl: string
  /**
   * Reminds customers of the ends of plans. Returns the services for which the next event is not known yet. Injected
   * for the same reason, because auto-renewal knows the next event.
   */
  remindOfEnds(trx: Trx, ending: readonly ServiceWithPlan[], now: Temporal.Instant): Promise<Set<string>>
  premisesOfPlans(trx: Trx, services: readonly ServiceRow[], now: Temporal.Instant): Promise<Map<string, string>>
}
