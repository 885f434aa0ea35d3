import type { OrderDeps } from '#features/orders/server/orders.deps.ts'

export type DisputeDeps = Pick<OrderDeps, 'db' | 'log' | 'clock'>
