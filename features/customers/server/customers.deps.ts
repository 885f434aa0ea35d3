import type { Actor } from '#kit/server/actor.ts'
import type { Trx } from '#kit/server/db.ts'
import type { AuthDeps } from '#features/auth/server/auth.deps.ts'
import type { User } from '#features/auth/server/users.store.ts'

import type { LockedCustomer } from './locked-customer.ts'

export type CustomersDeps = Pick<AuthDeps, 'db' | 'clock' | 'jobs' | 'log' | 'market' | 'help' | 'accountParts'> & {
  composeAgain(trx: Trx, resendRequest: ResendRequest): Promise<{ why: string } | null>
  isComposedAgain(kind: string): boolean
  customerParts: {
    endAll(trx: Trx, customer: LockedCustomer, actor: Actor): Promise<void>
    /** Erases personal data. Keeps invoices, the audit trail, and phone numbers that the network has yet to release. */
    forgetAll(trx: Trx, customer: LockedCustomer): Promise<void>
  }
  /** The file that lists erased customers. It must not be part of the database or its backups. */
  erasuresFile: string
}

export type ResendRequest = {
  kind: string
  ref: string
  user: User
  again: string
  /** What the message stated, if a copy of it is to be sent. */
  stated: object | null
}

export type ExportPart = { name: string } & (
  | { one(): Promise<object | null> }
  | { pages(): AsyncIterable<readonly object[]> }
)
