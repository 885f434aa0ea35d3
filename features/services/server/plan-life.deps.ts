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
  /** How many days a number stays reserved for its customer after the plan has ended. */
  numberKeptDays: number
  brandShortName: string
  /**
   * Called once plans have begun, to restart auto-renewal, usage checks and data cycles. `app/` injects this function,
   * because those features depend on services.
   */
  plansBegan(trx: Trx, plans: readonly { serviceId: string; expiresAt: Temporal.Instant }[]): Promise<void>
}

export type PlanLifeDeps = PlanScheduleDeps & {
  db: Db
  jobs: Jobs
  secrets: Secrets
  log: Log
  network: MobileNetwork
  /** The maximum number of batches that run concurrently. */
  atOnce: number
  brandName: string
  colours: Colours
  help: Help
  publicUrl: string
  /**
   * Reminds customers that their plans are about to end. Returns the services whose next event is not known yet. `app/`
   * injects this function, because only auto-renewal knows the next event.
   */
  remindOfEnds(trx: Trx, ending: readonly ServiceWithPlan[], now: Temporal.Instant): Promise<Set<string>>
  readPlanSendConditions(trx: Trx, services: readonly ServiceRow[], now: Temporal.Instant): Promise<Map<string, string>>
}
