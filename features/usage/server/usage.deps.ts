import type { Market } from '#kit/contract/bootstrap.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { CustomerDataReader } from '#kit/server/customer-data-reader.ts'
import type { Db } from '#kit/server/db.ts'
import type { Log } from '#kit/server/log.ts'
import type { Balance, NetworkUsage } from '#providers/network/usage.port.ts'
import type { ProductRow } from '#features/plans/server/plans.store.ts'
import type { ServiceWithPlanRow } from '#features/services/server/own-service.store.ts'
import type { Reading } from './readings.store.ts'

export type UsageDeps = {
  db: Db
  clock: Clock
  log: Log
  market: Market
  networkUsage: NetworkUsage
  /**
   * Reports that the network's response contained usage or balances of a different phone line, or did not name any
   * line. Such usage is never shown.
   */
  foreignUsage(service: { id: string }, list: 'usage' | 'balances', count: number): Promise<void>
  /**
   * Whether a service's number has changed, or an add-on with data or for roaming has been bought for it, since the
   * given instant on the application's clock. Usage from before such a change is no basis for a forecast. `app/`
   * injects this function, because orders depend on usage.
   */
  hasChangedSince(serviceId: string, since: Temporal.Instant): Promise<boolean>
  /**
   * The stored usage of a customer's service, or of their only service if `uuid` is empty; `null` if there is no such
   * service. `app/` injects this function, because orders depend on usage.
   */
  readKeptUse: CustomerDataReader<{ uuid: string }, StoredUsage | null>
}

export type StoredUsage = {
  service: ServiceWithPlanRow
  reading: Reading<Balance[]> | null
  products: ProductRow[]
  /** The instants at which an add-on with data or for roaming was last bought, and at which the number last changed. */
  changedAt: Temporal.Instant[]
  /** Cents. */
  extraDataPrice: number | null
}
