import type { Session } from '#kit/server/session.ts'
import type { AuthDeps } from '#features/auth/server/auth.deps.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'

/** The wizard works with what the orders work with, as it ends in one, and takes the password of a new account. */
export type ActivationDeps = OrderDeps &
  Pick<AuthDeps, 'passwords'> & {
    /** Has this session's calls admitted before those of unknown browsers while the server is overloaded. */
    rememberBuyer(session: Session): void
  }
