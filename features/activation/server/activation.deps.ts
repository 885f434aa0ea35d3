import type { Session } from '#kit/server/session.ts'
import type { AuthDeps } from '#features/auth/server/auth.deps.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'

export type ActivationDeps = OrderDeps &
  Pick<AuthDeps, 'passwords'> & {
    /** Gives the session's requests priority over those of unknown browsers while the server is overloaded. */
    rememberBuyer(session: Session): void
  }
