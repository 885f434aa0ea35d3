import type { Trx } from '#kit/server/db.ts'
import type { AuthDeps } from '#features/auth/server/auth.deps.ts'
import type { User } from '#features/auth/server/users.store.ts'
import type { ExportPart } from '#features/customers/server/customers.deps.ts'
import type { OpenThing } from '#features/customers/server/open.store.ts'

export type PrivacyDeps = AuthDeps & {
  /** What the provider can do about a customer, for the customers themselves. Wired where everything is. */
  ownData: {
    /** All that is kept of them, part by part. */
    exported(user: User): ExportPart[]
    /**
     * Erases them for good, if `isStillWanted` says so while they are locked. `open`: what stands in the way; none where they are
     * not to be erased any more, or another act about them is under way.
     */
    erase(userId: string, isStillWanted: (trx: Trx) => Promise<boolean>): Promise<{ open: readonly OpenThing[] } | null>
  }
}
