import type { Trx } from '#kit/server/db.ts'
import type { OperationKind } from './operations.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import type { NewOrder } from './new-orders.store.ts'
import type { Order } from './orders.store.ts'

export type DeliveredOrder = Order & { service_id: string; user_id: string }

export type OrderType = {
  /** Locks the rows that a new order of this kind reserves, before the order is inserted. */
  lock?(trx: Trx, sale: Pick<NewOrder, 'iccid'>): Promise<void>
  /**
   * Reserves the SIM and number of the order. @throws 400 with a message when another order has them, 429 after too
   * many such orders
   */
  reserve?(trx: Trx, deps: OrderDeps, order: Order): Promise<void>
  /** `isStuck`: the network did not release the SIM. */
  releaseReservations(trx: Trx, deps: OrderDeps, order: Order, isStuck: boolean): Promise<void>
  begin(trx: Trx, deps: OrderDeps, order: Order): Promise<Order | null>
  operation: { does: OperationKind; undoes: OperationKind }
  /** The order is for an existing service. If the service is released meanwhile, the order is reversed. */
  needsService: boolean
  /**
   * When the network fails in a way that may pass, the customer may try again. Orders of other kinds are retried
   * automatically.
   */
  heldForRetry: boolean
  /** `null` when another worker moved the order first. */
  deliver(
    trx: Trx,
    deps: OrderDeps,
    order: Order,
    event: 'captured' | 'plan_added_paid' | 'addon_added_paid',
  ): Promise<Order | null>
  /** `before` is the order before its last move. */
  complete(trx: Trx, deps: OrderDeps, order: DeliveredOrder, before: Order): Promise<void>
  /** The message in the form after the order was reversed. */
  undone: string
  /** A form waits until the payment is accepted, or until the network has provisioned the product. */
  waitsUntil: 'accepted' | 'delivered'
}
