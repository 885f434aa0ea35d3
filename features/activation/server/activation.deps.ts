import type { AuthDeps } from '#features/auth/server/auth.deps.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'

/** The wizard works with what the orders work with, as it ends in one, and takes the password of a new account. */
export type ActivationDeps = OrderDeps & Pick<AuthDeps, 'passwords'>
