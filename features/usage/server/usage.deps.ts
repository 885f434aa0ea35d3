import type { Market } from '#kit/contract/bootstrap.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { CustomerRead } from '#kit/server/customer-read.ts'
import type { Db } from '#kit/server/db.ts'
import type { Log } from '#kit/server/log.ts'
import type { Balance, NetworkUsage } from '#providers/network/usage.port.ts'
import type { ProductRow } from '#features/plans/server/plans.store.ts'
import type { OwnService } from '#features/services/server/own-service.store.ts'
import type { Reading } from './readings.store.ts'

export type UsageDeps = {
  db: Db
  clock: Clock
  log: Log
  market: Market
  networkUsage: NetworkUsage
  /** The network lists usage or balances of other lines, or of none, to a question about this one: nobody is shown them. */
  foreignUsage(service: { id: string }, list: 'usage' | 'balances', count: number): Promise<void>
  /**
   * Whether an add-on with data or for roaming was bought for a service, or its number changed, since an instant of the product's
   * clock: its use so far says nothing of what is to come. Wired where everything is: orders lean on usage.
   */
  hasChangedSince(serviceId: string, since: Temporal.Instant): Promise<boolean>
  /**
   * What is kept of the use of one service of a customer, or of the only one for an empty `uuid`. Null without one. Wired where everything
   * is, as well.
   */
  readKeptUse: CustomerRead<{ uuid: string }, KeptUse | null>
}

export type KeptUse = {
  service: OwnService
  /** The network's last word of what is left; null: it has not said anything. */
  reading: Reading<Balance[]> | null
  /** What is named in it. */
  products: ProductRow[]
  /** When an add-on with data or for roaming was last bought, and when its number last changed. */
  changedAt: Temporal.Instant[]
  /** Cents. */
  extraDataPrice: number | null
}
