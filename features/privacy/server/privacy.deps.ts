import type { Trx } from '#kit/server/db.ts'
import type { AuthDeps } from '#features/auth/server/auth.deps.ts'
import type { User } from '#features/auth/server/users.store.ts'
import type { ExportPart } from '#features/customers/server/customers.deps.ts'
import type { ErasureBlocker } from '#features/customers/server/erasure-blockers.store.ts'

export type PrivacyDeps = AuthDeps & {
  ownData: {
    exported(user: User): ExportPart[]
    /**
     * Erases a customer permanently if `isStillWanted` returns true while the customer is locked. Returns `null` on
     * success. Otherwise, `open` lists the obstacles; the list is empty if the erasure is no longer wanted, or if
     * another operation on the customer is in progress.
     */
    erase(
      userId: string,
      isStillWanted: (trx: Trx) => Promise<boolean>,
    ): Promise<{ open: readonly ErasureBlocker[] } | null>
  }
}
