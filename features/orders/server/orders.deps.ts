import type { AwayLog } from '#kit/server/database-away.ts'
import type { Trx } from '#kit/server/db.ts'
import type { Log } from '#kit/server/log.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import type { CardType } from '#kit/contract/card-types.ts'
import type { CardGateway } from '#providers/card/card.port.ts'
import type { PortingDeps } from '#features/porting/server/porting.deps.ts'
import type { Issuer } from '#features/invoices/server/invoices.store.ts'
import type { PlanDeps } from '#features/services/server/plan-life.deps.ts'
import type { Order } from './orders.store.ts'

/** What the order machinery works with. */
export type OrderDeps = PortingDeps &
  PlanDeps & {
    log: Log
    /** Whether an error says only that the database is away, or keeps something waiting: the log is told of that. */
    isAway: AwayLog['note']
    card: CardGateway
    /** Types of card that are taken. */
    cardTypes: readonly CardType[]
    issuer: Issuer
    leaseSeconds: number
    /** How many things that are due are done beside each other. */
    atOnce: number
    /** Whether the network is still at an order that is in this state of its own. */
    isUnderWay(networkState: string): boolean
    thresholds: Thresholds
    /**
     * The network has removed a plan whose customer did not want it any more: ends its order, and has what paid for it given
     * back. 'wait' while that cannot be said yet. Wired where everything is: refunds lean on orders.
     */
    planRemoved(trx: Trx, order: Order): Promise<Order | 'wait' | 'stop'>
    /**
     * The order of the plan that waits for a service, which is this one and its customer's to change now. Wired where everything is.
     * @throws 400 with the sentence when it is another, or none, or can't be cancelled any more
     */
    planToChange(trx: Trx, serviceId: string, orderCode: string): Promise<string>
    /** The network would not remove it, and it waits as before: its customer is told. */
    planKept(trx: Trx, order: Order): Promise<void>
  }
