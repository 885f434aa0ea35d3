import { type Route, route } from '#kit/server/route.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import { paymentRequestLimits } from '#features/orders/server/orders.ts'
import { renewPlan } from '../renewal.contract.ts'
import { renewByCustomer } from './renew.ts'

export const renewalRoutes = (deps: OrderDeps): Route[] => [
  route(
    renewPlan,
    { access: 'verified', limits: ({ visit }) => paymentRequestLimits(visit) },
    async ({ visit, body, idempotencyKey: key }) => {
      const { order, outcome } = await renewByCustomer(deps, { user: visit.user, visit, key }, body)
      const { order_code } = order
      return outcome === 'unknown' ? { status: 202, body: { order_code, retry: true } } : { order_code }
    },
  ),
]
