import type { Trx } from '#kit/server/db.ts'
import type { OperationKind } from './operations.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import type { NewOrder } from './new-orders.store.ts'
import type { Order } from './orders.store.ts'

/** An order that is delivered. */
export type DeliveredOrder = Order & { service_id: string; user_id: string }

/** What differs by what is bought. A new kind of order says all of this about it. */
export type Kind = {
  /** Locks what a new order of this kind reserves, before the order is written. */
  lock?(trx: Trx, sale: Pick<NewOrder, 'iccid'>): Promise<void>
  /** Reserves it for the order. @throws 400 with the sentence, when another order has it, 429 after too many such orders */
  reserve?(trx: Trx, deps: OrderDeps, order: Order): Promise<void>
  /** Frees what an order that came to nothing had reserved; `isStuck`: the network would not let go of its SIM. */
  giveBack(trx: Trx, deps: OrderDeps, order: Order, isStuck: boolean): Promise<void>
  /** Writes down the first thing to ask of the network. */
  begin(trx: Trx, deps: OrderDeps, order: Order): Promise<Order | null>
  /** What it does at the network, and what takes that back. */
  operation: { does: OperationKind; undoes: OperationKind }
  /** For a service that is there already: should that go meanwhile, the order is taken back. */
  needsService: boolean
  /** Its customer may try again when the network fails in a way that may pass; the others are tried again for them. */
  heldForRetry: boolean
  /** Gives the customer what the network has. Null when another worker moved the order first. */
  deliver(
    trx: Trx,
    deps: OrderDeps,
    order: Order,
    event: 'captured' | 'plan_added_paid' | 'addon_added_paid',
  ): Promise<Order | null>
  /** Once it is delivered: tells the customer, and marks a SIM as activated. `before`: the order as it was before its last move. */
  complete(trx: Trx, deps: OrderDeps, order: DeliveredOrder, before: Order): Promise<void>
  /** What a form says when it was taken back. */
  undone: string
  /** A form waits until the payment is accepted, or until the network has it. */
  waitsUntil: 'accepted' | 'delivered'
}
