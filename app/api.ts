import type { Route } from '#kit/server/route.ts'
import { activationRoutes } from '#features/activation/server/activation.routes.ts'
import { authRoutes } from '#features/auth/server/auth.routes.ts'
import { orderRoutes } from '#features/orders/server/orders.routes.ts'
import { planRoutes } from '#features/plans/server/plans.routes.ts'
import { portingRoutes } from '#features/porting/server/porting.routes.ts'
import { voucherRoutes } from '#features/vouchers/server/vouchers.routes.ts'
import type { Deps } from './deps.ts'

/** Every API route. */
export const apiRoutes = (deps: Deps): Route[] => [
  ...authRoutes(deps),
  ...planRoutes(deps),
  ...voucherRoutes(deps),
  ...portingRoutes(deps),
  ...activationRoutes(deps),
  ...orderRoutes(deps),
]
