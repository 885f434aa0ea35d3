import type { Market } from '#kit/contract/bootstrap.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { CustomerDataReader } from '#kit/server/customer-data-reader.ts'
import type { Db } from '#kit/server/db.ts'
import type { ProductRow } from '#features/plans/server/plans.store.ts'
import type { QueuedPlan } from './queued-plans.store.ts'
import type { ListedService, ServicesPart } from './services.store.ts'
import type { PlanStatusView, PortingRequestView } from '../services.contract.ts'

export type ServicesDeps = {
  db: Db
  clock: Clock
  market: Market
  numberKeptDays: number
  /**
   * Reads some of a customer's services with all their details. `app/` injects this function, because porting and
   * auto-renewal depend on services.
   */
  readServices: CustomerDataReader<ServicesPart, ServiceRows>
}

export type ServiceRows = {
  services: ListedService[]
  waiting: Map<string, QueuedPlan>
  products: ReadonlyMap<string, ProductRow>
  portsAt(now: Temporal.Instant): Map<string, PortingRequestView>
  outlooksOf(plans: ServicePlan[], now: Temporal.Instant): Map<string, { view: PlanStatusView; isRenewing: boolean }>
}

export type ServicePlan = {
  serviceId: string
  product: ProductRow
  expiresAt: Temporal.Instant
  queued: { orderId: string; product: ProductRow; lengthDays: number; startsAt: Temporal.Instant } | null
}
