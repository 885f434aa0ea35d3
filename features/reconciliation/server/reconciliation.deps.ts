import type { ReadGatewayReport } from '#providers/card/gateway-report.port.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import type { RefundDeps } from '#features/refunds/server/refunds.deps.ts'

/** What comparing our books with the gateway's and the network's works with. */
export type ReconciliationDeps = RefundDeps & Pick<OrderDeps, 'network'> & { readGatewayReport: ReadGatewayReport }
