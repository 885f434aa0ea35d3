import type { Help, Market } from '#kit/contract/bootstrap.ts'
import type { Colours } from '#kit/contract/brand.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { CustomerDataReader } from '#kit/server/customer-data-reader.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { Jobs } from '#kit/server/jobs.ts'
import type { Log } from '#kit/server/log.ts'
import type { Passwords } from '#kit/server/password.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import type { User } from './users.store.ts'
import type { CardToken, PhoneView } from '../auth.contract.ts'

export type AuthDeps = {
  db: Db
  clock: Clock
  jobs: Jobs
  log: Log
  secrets: Secrets
  passwords: Passwords
  market: Market
  brandName: string
  brandShortName: string
  colours: Colours
  help: Help
  publicUrl: string
  accountParts: AccountOperations
}

export type AccountData = {
  account: Pick<User, 'email' | 'email_verified_at' | 'first_name' | 'last_name' | 'updated_at'>
  card: CardToken | null
  phone: PhoneView | null
  phoneChange: PhoneView | null
}

/**
 * Account data and actions that belong to features which depend on this one. The application injects them, because
 * importing them here would be circular.
 */
export type AccountOperations = {
  card(userId: string): Promise<CardToken | null>
  phone(userId: string, trx?: Trx): Promise<PhoneView | null>
  whole: CustomerDataReader<Record<never, string>, AccountData | null>
  reassignAll(trx: Trx, fromUserId: string, toUserId: string): Promise<void>
  endRequests(trx: Trx, userId: string): Promise<void>
}
