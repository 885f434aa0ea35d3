import { type Route, route } from '#kit/server/route.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import { pressLimits } from '#features/orders/server/orders.ts'
import { recharge } from '../renewal.contract.ts'
import { renew } from './renew.ts'

export const renewalRoutes = (deps: OrderDeps): Route[] => [
  route(
    recharge,
    { access: 'verified', limits: ({ visit }) => pressLimits(visit) },
    async ({ visit, body, idempotencyKey: key }) => {
      const { order, outcome } = await renew(deps, { user: visit.user, visit, key }, body)
      const { order_code } = order
      return outcome === 'unknown' ? { status: 202, body: { order_code, retry: true } } : { order_code }
    },
  ),
]
