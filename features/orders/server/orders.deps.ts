import type { DatabaseOutageLog } from '#kit/server/database-unavailable.ts'
import type { Trx } from '#kit/server/db.ts'
import type { Log } from '#kit/server/log.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import type { CardType } from '#kit/contract/card-types.ts'
import type { CardGateway } from '#providers/card/card.port.ts'
import type { PortingDeps } from '#features/porting/server/porting.deps.ts'
import type { Issuer } from '#features/invoices/server/invoices.store.ts'
import type { PlanScheduleDeps } from '#features/services/server/plan-life.deps.ts'
import type { Order } from './orders.store.ts'

export type OrderDeps = PortingDeps &
  PlanScheduleDeps & {
    log: Log
    /**
     * Whether an error means that the database is unavailable or too slow. This function logs or counts such an error, so
     * that the caller need not log it.
     */
    noteOutage: DatabaseOutageLog['note']
    card: CardGateway
    cardTypes: readonly CardType[]
    issuer: Issuer
    /** The prefix of new order codes. */
    orderPrefix: string
    leaseSeconds: number
    /** Maximum number of due items processed at the same time. */
    atOnce: number
    isUnderWay(networkState: string): boolean
    thresholds: Thresholds
    /**
     * Moves an order to `cancelled` after the network has removed its plan, and refunds it. Returns `'wait'` while the amount
     * to refund cannot be determined. The application provides this function, because the refunds module depends on
     * this one.
     */
    planRemoved(trx: Trx, order: Order): Promise<Order | 'wait' | 'stop'>
    /**
     * Returns the id of the order for a service's queued plan, if that order's code is `orderCode` and the plan can still be
     * changed. The application provides this function.
     * @throws 400 with a message if no plan is queued, if it is a different plan, or if it can no longer be cancelled
     */
    planToChange(trx: Trx, serviceId: string, orderCode: string): Promise<string>
    /** Tells the customer that the cancellation failed and the queued plan stays. */
    planKept(trx: Trx, order: Order): Promise<void>
  }
