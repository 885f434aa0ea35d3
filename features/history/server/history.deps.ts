import type { Market } from '#kit/contract/bootstrap.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Jobs } from '#kit/server/jobs.ts'
import type { Log } from '#kit/server/log.ts'
import type { MessageDeps } from '#features/messages/server/messages.ts'
import type { NetworkUsage } from '#providers/network/usage.port.ts'

export type HistoryDeps = MessageDeps & {
  db: Db
  clock: Clock
  jobs: Jobs
  log: Log
  market: Market
  networkUsage: NetworkUsage
  /** Reports that the network's response contained usage records for a different phone number. These records are not counted. */
  foreignUsage(service: { id: string }, list: 'usage', count: number): Promise<void>
  /**
   * Whether a number transfer has changed the service's number since the given instant. The network does not report the
   * old number's usage under the new number.
   */
  changedNumberSince(serviceId: string, since: Temporal.Instant): Promise<boolean>
}
