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
     * Whether an error means that the database is unavailable or too slow. Such an error is logged or counted here, so
     * the caller need not log it.
     */
    isAway: DatabaseOutageLog['note']
    card: CardGateway
    cardTypes: readonly CardType[]
    issuer: Issuer
    leaseSeconds: number
    /** Maximum due items that are processed at the same time. */
    atOnce: number
    isUnderWay(networkState: string): boolean
    thresholds: Thresholds
    /**
     * Completes the order of a cancelled plan that the network has removed, and refunds it. Returns `'wait'` while the
     * refund cannot be decided yet. The application provides this function, because the refunds module depends on this
     * one.
     */
    planRemoved(trx: Trx, order: Order): Promise<Order | 'wait' | 'stop'>
    /**
     * Returns the id of the order behind a service's queued plan, if the order's code is `orderCode` and the plan can
     * still be changed. The application provides this function.
     * @throws 400 with a message when there is no queued plan, a different one, or one that can no longer be cancelled
     */
    planToChange(trx: Trx, serviceId: string, orderCode: string): Promise<string>
    planKept(trx: Trx, order: Order): Promise<void>
  }
