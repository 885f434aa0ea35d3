import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import type { RefundDeps } from '#features/refunds/server/refunds.deps.ts'
import type { ServicesDeps } from '#features/services/server/services.deps.ts'

export type NextPlanDeps = OrderDeps & RefundDeps & ServicesDeps
