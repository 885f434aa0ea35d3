import type { AuthDeps } from '#features/auth/server/auth.deps.ts'
import type { User } from '#features/auth/server/users.store.ts'
import type { ExportPart } from '#features/customers/server/customers.deps.ts'

export type PrivacyDeps = AuthDeps & {
  /** What the provider can do about a customer, for the customers themselves. Wired where everything is. */
  ownData: {
    /** All that is kept of them, part by part. */
    exported(user: User): ExportPart[]
  }
}
