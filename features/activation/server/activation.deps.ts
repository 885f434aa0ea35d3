import type { OrderDeps } from '#features/orders/server/orders.deps.ts'

/** The wizard works with what the orders work with: it ends in one. */
export type ActivationDeps = OrderDeps
