import type { Clock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Log } from '#kit/server/log.ts'
import type { Passwords } from '#kit/server/password.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import type { NetworkInventory } from '#providers/network/inventory.port.ts'

export type OwnNumberDeps = {
  db: Db
  clock: Clock
  log: Log
  secrets: Secrets
  passwords: Passwords
  networkInventory: NetworkInventory
}
