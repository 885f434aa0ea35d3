import type { GatewayReportReader } from '#providers/card/gateway-report.port.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import type { RefundDeps } from '#features/refunds/server/refunds.deps.ts'

export type ReconciliationDeps = RefundDeps &
  Pick<OrderDeps, 'network' | 'orderPrefix'> & { readGatewayReport: GatewayReportReader }
