import type { Actor } from '#kit/server/actor.ts'
import type { Trx } from '#kit/server/db.ts'
import type { AuthDeps } from '#features/auth/server/auth.deps.ts'
import type { User } from '#features/auth/server/users.store.ts'

import type { LockedCustomer } from './locked-customer.ts'

/** What the provider's own acts about a customer work with. */
export type CustomersDeps = Pick<AuthDeps, 'db' | 'clock' | 'jobs' | 'log' | 'market' | 'help' | 'accountParts'> & {
  /** Composes a message of a customer's anew; answers why not, where it cannot be. Wired where everything is. */
  composeAgain(trx: Trx, wish: WishedAgain): Promise<{ why: string } | null>
  /** Whether a message of this kind can be composed anew at all. */
  isComposedAgain(kind: string): boolean
  /** What a customer has goes through many slices; these two act on all of them. */
  customerParts: {
    /** Ends all that goes on: lines, plans, auto-renewal and stored cards. */
    endAll(trx: Trx, customer: LockedCustomer, actor: Actor): Promise<void>
    /** Forgets who they are, but in invoices and in the audit trail, and the numbers that the network still has to take back. */
    forgetAll(trx: Trx, customer: LockedCustomer): Promise<void>
  }
  /** The list of erased customers that is kept apart from the database and its backups. */
  erasuresFile: string
}

/** A message that is to be sent again: of which kind, what it was about, and to whom. */
export type WishedAgain = { kind: string; ref: string; user: User; again: string }

/** One part of all that is kept of a person: a single thing or null, or a list, which comes page by page. */
export type ExportPart = { name: string } & (
  | { one(): Promise<object | null> }
  | { pages(): AsyncIterable<readonly object[]> }
)
