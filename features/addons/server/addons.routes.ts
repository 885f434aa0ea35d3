import { type Route, route } from '#kit/server/route.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import { paymentRequestLimits } from '#features/orders/server/orders.ts'
import { buyAddOn } from '../addons.contract.ts'
import { purchaseAddOn } from './addons.ts'

export const addOnRoutes = (deps: OrderDeps): Route[] => [
  route(
    buyAddOn,
    { access: 'verified', limits: ({ visit }) => paymentRequestLimits(visit) },
    async ({ visit, body, idempotencyKey: key }) => {
      const { order, outcome } = await purchaseAddOn(deps, { user: visit.user, visit, key }, body)
      const { order_code } = order
      return outcome === 'unknown' ? { status: 202, body: { order_code, retry: true } } : { order_code }
    },
  ),
]
