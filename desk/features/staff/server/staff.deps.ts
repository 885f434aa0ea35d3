import type { Market } from '#kit/contract/bootstrap.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Secrets } from '#kit/server/secrets.ts'

export type StaffDeps = {
  db: Db
  clock: Clock
  market: Pick<Market, 'zone'>
  secrets: Secrets
  brandName: string
  /** The desk's origin. Passkeys are bound to its host name. */
  deskUrl: string
  isDemo: boolean
}
