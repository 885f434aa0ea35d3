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
    /** Erases the customer's personal data, except in invoices, in the audit trail and the numbers that the network has yet to release. */
    forgetAll(trx: Trx, customer: LockedCustomer): Promise<void>
  }
  /** The path of the list of erased customers. The file must be outside the database and its backups. */
  erasuresFile: string
}

export type ResendRequest = { kind: string; ref: string; user: User; again: string }

export type ExportPart = { name: string } & (
  | { one(): Promise<object | null> }
  | { pages(): AsyncIterable<readonly object[]> }
)
