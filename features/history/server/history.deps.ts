import type { Market } from '#kit/contract/bootstrap.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Jobs } from '#kit/server/jobs.ts'
import type { Log } from '#kit/server/log.ts'
import type { MessageDeps } from '#features/messages/server/messages.ts'
import type { NetworkUsage } from '#providers/network/usage.port.ts'

/** What the history of use works with. */
export type HistoryDeps = MessageDeps & {
  db: Db
  clock: Clock
  jobs: Jobs
  log: Log
  market: Market
  networkUsage: NetworkUsage
  /** The network lists usage of other lines, or of none, to a question about this one: it is counted for nobody. */
  foreignUsage(service: { id: string }, list: 'usage', count: number): Promise<void>
  /** Whether a transfer has given a service another number since: what was used under the old one is not under the new. */
  changedNumberSince(serviceId: string, since: Temporal.Instant): Promise<boolean>
}
