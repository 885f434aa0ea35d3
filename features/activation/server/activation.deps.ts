import type { Session } from '#kit/server/session.ts'
import type { AuthDeps } from '#features/auth/server/auth.deps.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'

export type ActivationDeps = OrderDeps &
  Pick<AuthDeps, 'passwords'> & {
    /** While the server is overloaded, gives this session's requests priority over those from unknown browsers. */
    rememberBuyer(session: Session): void
  }
