import type { OrderDeps } from '#features/orders/server/orders.deps.ts'

/** What disputes work with. */
export type DisputeDeps = Pick<OrderDeps, 'db' | 'log' | 'clock'>
