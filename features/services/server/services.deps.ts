import type { Market } from '#kit/contract/bootstrap.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { ProductRow } from '#features/plans/server/plans.store.ts'
import type { OutlookView, PortingRequestView } from '../services.contract.ts'

export type ServicesDeps = {
  db: Db
  clock: Clock
  market: Market
  /** Days for which a number stays its customer's after the plan's end. */
  numberKeptDays: number
  /** The latest number transfer of each of these services that has one. Wired where everything is: porting leans on services. */
  portingOf(serviceIds: string[]): Promise<Map<string, PortingRequestView>>
  /** What happens next to each of these services of a customer. Wired there, too: so does auto-renewal. */
  outlooksOf(
    userId: string,
    plans: PlanOfService[],
    now: Temporal.Instant,
  ): Promise<Map<string, { view: OutlookView; isRenewing: boolean }>>
}

/** The present plan of a service, and the one that is paid for and waits. */
export type PlanOfService = {
  serviceId: string
  product: ProductRow
  expiresAt: Temporal.Instant
  queued: { orderId: string; product: ProductRow; lengthDays: number; startsAt: Temporal.Instant } | null
}
