import type { Market } from '#kit/contract/bootstrap.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { CustomerRead } from '#kit/server/customer-read.ts'
import type { Db } from '#kit/server/db.ts'
import type { ProductRow } from '#features/plans/server/plans.store.ts'
import type { QueuedPlan } from './queued-plans.store.ts'
import type { ListedService, ServicesPart } from './services.store.ts'
import type { OutlookView, PortingRequestView } from '../services.contract.ts'

export type ServicesDeps = {
  db: Db
  clock: Clock
  market: Market
  /** Days for which a number stays its customer's after the plan's end. */
  numberKeptDays: number
  /**
   * All that is known of a part of a customer's services. It is wired in `app/`, because porting and auto-renewal depend on services.
   */
  readServices: CustomerRead<ServicesPart, KnownServices>
}

export type KnownServices = {
  services: ListedService[]
  /** Plans that wait, by the service. */
  waiting: Map<string, QueuedPlan>
  /** By their ids: of all these plans. */
  products: ReadonlyMap<string, ProductRow>
  /** The latest number transfer of each service that has one. */
  portsAt(now: Temporal.Instant): Map<string, PortingRequestView>
  /** What happens next to each. */
  outlooksOf(plans: PlanOfService[], now: Temporal.Instant): Map<string, { view: OutlookView; isRenewing: boolean }>
}

/** The present plan of a service, and the one that is paid for and waits. */
export type PlanOfService = {
  serviceId: string
  product: ProductRow
  expiresAt: Temporal.Instant
  queued: { orderId: string; product: ProductRow; lengthDays: number; startsAt: Temporal.Instant } | null
}
