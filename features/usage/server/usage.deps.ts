import type { Market } from '#kit/contract/bootstrap.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Log } from '#kit/server/log.ts'
import type { NetworkUsage } from '#providers/network/usage.port.ts'

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
}
