import type { Trx } from '#kit/server/db.ts'
import type { OperationKind } from './operations.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import type { NewOrder } from './new-orders.store.ts'
import type { Order } from './orders.store.ts'

export type DeliveredOrder = Order & { service_id: string; user_id: string }

export type OrderType = {
  /** Locks the rows that a new order of this type reserves, before the order is inserted. */
  lock?(trx: Trx, sale: Pick<NewOrder, 'iccid'>): Promise<void>
  /**
   * Reserves the SIM and the number of the order.
   * @throws 400 with a message when another order has reserved them, 429 after too many such orders
   */
  reserve?(trx: Trx, deps: OrderDeps, order: Order): Promise<void>
  /** Releases the reserved SIM, number and voucher. `isStuck` means that the network did not release the SIM. */
  releaseReservations(trx: Trx, deps: OrderDeps, order: Order, isStuck: boolean): Promise<void>
  begin(trx: Trx, deps: OrderDeps, order: Order): Promise<Order | null>
  operation: { does: OperationKind; undoes: OperationKind }
  /** Whether the order is for an existing service. If that service is released meanwhile, the order is reversed. */
  needsService: boolean
  /**
   * Whether the order is held when the network fails temporarily, so that the customer can try again. Other orders are
   * retried automatically.
   */
  heldForRetry: boolean
  /** Delivers the order; returns `null` when another worker moved the order first. */
  deliver(
    trx: Trx,
    deps: OrderDeps,
    order: Order,
    event: 'captured' | 'plan_added_paid' | 'addon_added_paid',
  ): Promise<Order | null>
  /** Completes the order. `before` is the order as it was before its last move. */
  complete(trx: Trx, deps: OrderDeps, order: DeliveredOrder, before: Order): Promise<void>
  /** The message that the form shows after the order was reversed. */
  undone: string
  /** What a form waits for: that the payment is accepted, or that the network has provisioned the product. */
  waitsUntil: 'accepted' | 'delivered'
}
