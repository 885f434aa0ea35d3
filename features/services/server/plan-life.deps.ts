import type { Help, Market } from '#kit/contract/bootstrap.ts'
import type { Colours } from '#kit/contract/brand.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { Jobs } from '#kit/server/jobs.ts'
import type { Log } from '#kit/server/log.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import type { MobileNetwork } from '#providers/network/network.port.ts'
import type { AboutMessage } from '#features/messages/server/messages.store.ts'
import type { ScheduleOfService, ServiceRow } from './plan-life.store.ts'

/** What begins a plan works with. */
export type PlanDeps = {
  clock: Clock
  market: Market
  /** Days for which a number stays its customer's after the plan's end. */
  numberKeptDays: number
  /** In texts, where there is little room. */
  brandShortName: string
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
  /** How many things that are due are done beside each other. */
  atOnce: number
  brandName: string
  colours: Colours
  help: Help
  publicUrl: string
  /** Says before a plan's end what comes then; false when that is not known yet. Wired there, too: auto-renewal knows. */
  remindOfEnd(
    trx: Trx,
    ending: { service: ServiceRow; schedule: ScheduleOfService; now: Temporal.Instant },
  ): Promise<boolean>
  /** What messages about a service rest on at an instant, also those of a certain kind; null: nothing is left of it. */
  premiseOf(db: Db | Trx, serviceId: string, now: Temporal.Instant, about?: AboutMessage): Promise<string | null>
}
