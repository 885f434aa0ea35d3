import { type Route, route } from '#kit/server/route.ts'
import { readOrder, resumeOrder } from '../orders.contract.ts'
import type { OrderDeps } from './orders.deps.ts'
import { presentDeliveredOrder } from './orders.present.ts'
import { findOwnOrder } from './orders.store.ts'
import { findDeliveredOrder, payAndAwaitOrder, resumeLimits } from './orders.ts'

export const orderRoutes = (deps: OrderDeps): Route[] => [
  route(
    readOrder,
    {
      access: 'verified',
      find: async ({ visit, params }) => findDeliveredOrder(deps, visit.user.id, params.orderId),
    },
    ({ found }) => presentDeliveredOrder(deps, found),
  ),
  route(
    resumeOrder,
    {
      access: 'anyone',
      limits: ({ visit }) => resumeLimits(visit),
      find: async ({ visit, params }) =>
        (await findOwnOrder(deps.db, params.orderId, {
          sessionId: visit.session.id,
          userId: visit.user?.id ?? null,
        })) ?? null,
    },
    async ({ found }) => {
      const { order_code } = found
      const { outcome } = await payAndAwaitOrder(deps, found)
      return outcome === 'unknown' ? { status: 202, body: { order_code, retry: true } } : { order_code }
    },
  ),
]
