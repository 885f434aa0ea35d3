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
}
