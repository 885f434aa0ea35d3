import type { Trx } from '#kit/server/db.ts'
import type { OperationKind } from './operations.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import type { NewOrder } from './new-orders.store.ts'
import type { Order } from './orders.store.ts'

export type DeliveredOrder = Order & { service_id: string; user_id: string }

export type OrderType = {
  /** Locks the rows that a new order of this type will reserve. Called before the order is inserted. */
  lock?(trx: Trx, sale: Pick<NewOrder, 'iccid'>): Promise<void>
  /**
   * Reserves the order's SIM and number.
   * @throws 400 with a message if another order has reserved them, 429 after too many orders of this type
   */
  reserve?(trx: Trx, deps: OrderDeps, order: Order): Promise<void>
  /** Releases the reserved SIM, number and voucher. `isStuck` means that the network did not release the SIM. */
  releaseReservations(trx: Trx, deps: OrderDeps, order: Order, isStuck: boolean): Promise<void>
  begin(trx: Trx, deps: OrderDeps, order: Order): Promise<Order | null>
  operation: { does: OperationKind; undoes: OperationKind }
  /** Whether the order is for an existing service. If that service is released in the meantime, the order is reversed. */
  needsService: boolean
  /**
   * Whether the order is held after a temporary network failure, so that the customer can try again. Other orders are
   * retried automatically.
   */
  heldForRetry: boolean
  /** Delivers the order; returns `null` if another worker has already changed the order's state. */
  applyToService(
    trx: Trx,
    deps: OrderDeps,
    order: Order,
    event: 'captured' | 'plan_added_paid' | 'addon_added_paid',
  ): Promise<Order | null>
  /** Completes the order. `before` is the order as it was before its last transition. */
  complete(trx: Trx, deps: OrderDeps, order: DeliveredOrder, before: Order): Promise<void>
  /** The message that the form shows after the order has been reversed. */
  undone: string
  /** The state that the customer's page waits for: the payment has been accepted, or the product has been delivered. */
  formWaitsUntil: 'accepted' | 'delivered'
}
