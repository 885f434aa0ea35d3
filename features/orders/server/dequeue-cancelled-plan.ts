import type { Trx } from '#kit/server/db.ts'
import { lockService } from '#features/services/server/plan-life.store.ts'
import { dequeuePlanOf } from '#features/services/server/queued-plans.store.ts'
import { insertCancelledPlan } from './cancelled-plans.store.ts'
import { initiateNextOperation } from './initiate-next-operation.ts'
import type { OrderDeps } from './orders.deps.ts'
import { type Order, orderRetries } from './orders.store.ts'

/**
 * Takes the plan of an order out of the queue, so that it is removed at the network and refunded. The caller must have
 * locked the payment. Returns `moved` when another worker moved the order first; nothing is written then. Returns
 * `begun` when the plan is no longer queued; the caller must then roll back the transaction.
 */
export async function dequeueCancelledPlan(
  trx: Trx,
  deps: OrderDeps,
  order: Order,
): Promise<'taken' | 'moved' | 'begun'> {
  const serviceId = order.service_id ?? ''
  if (!(await initiatePlanRemoval(trx, deps, order))) return 'moved'
  await lockService(trx, serviceId)
  // If the plan starts and is cancelled at the same time, whoever removes it from the queue first wins.
  if (!(await dequeuePlanOf(trx, serviceId, order.id))) return 'begun'
  await insertCancelledPlan(trx, { orderId: order.id, serviceId, at: deps.clock.now() })
  return 'taken'
}

/**
 * Records that the plan of an order is to be removed at the network, before any money is refunded. Returns `null` when
 * another worker moved the order first.
 */
export async function initiatePlanRemoval(trx: Trx, deps: OrderDeps, order: Order): Promise<Order | null> {
  const movedOrder = await initiateNextOperation(trx, order, 'plan_unwanted')
  if (movedOrder) await deps.jobs.send(trx, orderRetries, order.id)
  return movedOrder
}
