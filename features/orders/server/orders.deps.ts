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
     * Whether an error means that the database is unavailable or that a wait in it took too long. The call logs or
     * counts such an error.
     */
    isAway: DatabaseOutageLog['note']
    card: CardGateway
    cardTypes: readonly CardType[]
    issuer: Issuer
    leaseSeconds: number
    /** Maximum number of due items that are processed in parallel. */
    atOnce: number
    isUnderWay(networkState: string): boolean
    thresholds: Thresholds
    /**
     * Ends the order of a cancelled plan that the network has removed, and refunds it. `'wait'` while the refund cannot
     * be decided yet. Wired by the application, because the refunds module depends on this one.
     */
    planRemoved(trx: Trx, order: Order): Promise<Order | 'wait' | 'stop'>
    /**
     * The id of the order of the queued plan of a service, if its code is `orderCode` and it can be changed now. Wired
     * by the application.
     * @throws 400 with a message when the queued plan is a different one, is missing, or can no longer be cancelled
     */
    planToChange(trx: Trx, serviceId: string, orderCode: string): Promise<string>
    planKept(trx: Trx, order: Order): Promise<void>
  }
