import type { Help, Market } from '#kit/contract/bootstrap.ts'
import type { Colours } from '#kit/contract/brand.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { Jobs } from '#kit/server/jobs.ts'
import type { Log } from '#kit/server/log.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import type { MobileNetwork } from '#providers/network/network.port.ts'
import type { ServiceRow, ServiceWithPlan } from './plan-life.store.ts'

/** What begins a plan works with. */
export type PlanDeps = {
  clock: Clock
  market: Market
  /** Days for which a number stays its customer's after the plan's end. */
  numberKeptDays: number
  /** In texts, where there is little room. */
  brandShortName: string
  /** Plans have begun, and when they end: auto-renewal starts anew. Wired where everything is, for it leans on services. */
  plansBegan(trx: Trx, plans: readonly { serviceId: string; expiresAt: Temporal.Instant }[]): Promise<void>
}

/** What the life of a plan and of its number works with. */
export type PlanLifeDeps = PlanDeps & {
  db: Db
  jobs: Jobs
  secrets: Secrets
  log: Log
  network: MobileNetwork
  /** How many things that are due are done beside each other. */
  atOnce: number
  brandName: string
  colours: Colours
  help: Help
  publicUrl: string
  /**
   * Says before the ends of plans what comes then. Answers the services of which that is not known yet. Wired there, too: auto-renewal
   * knows.
   */
  remindOfEnds(trx: Trx, ending: readonly ServiceWithPlan[], now: Temporal.Instant): Promise<Set<string>>
  /** What messages about the plans of services rest on at an instant; none where nothing is left of one. */
  premisesOfPlans(trx: Trx, services: readonly ServiceRow[], now: Temporal.Instant): Promise<Map<string, string>>
}
