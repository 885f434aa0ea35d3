import type { Trx } from '#kit/server/db.ts'
import { lockService } from '#features/services/server/plan-life.store.ts'
import { dequeueOrderPlan } from '#features/services/server/queued-plans.store.ts'
import { insertCancelledPlan } from './cancelled-plans.store.ts'
import { initiateNextOperation } from './initiate-next-operation.ts'
import type { OrderDeps } from './orders.deps.ts'
import { type Order, orderQueue } from './orders.store.ts'

/**
 * Takes an order's plan out of the queue, so that the network removes it and it is refunded. The caller must hold the
 * payment's lock. Returns `moved` if another worker has already changed the order's state, in which case nothing is written.
 * Returns `begun` if the plan is no longer queued; the caller must then roll back the transaction.
 */
export async function dequeueCancelledPlan(
  trx: Trx,
  deps: OrderDeps,
  order: Order,
): Promise<'taken' | 'moved' | 'begun'> {
  const serviceId = order.service_id ?? ''
  if (!(await initiatePlanRemoval(trx, deps, order))) return 'moved'
  await lockService(trx, serviceId)
  // If the plan is started and cancelled at the same time, whichever transaction dequeues it first wins.
  if (!(await dequeueOrderPlan(trx, serviceId, order.id))) return 'begun'
  await insertCancelledPlan(trx, { orderId: order.id, serviceId, at: deps.clock.now() })
  return 'taken'
}

/**
 * Records that the network must remove an order's plan, which happens before any money is refunded. Returns `null` if
 * another worker has already changed the order's state.
 */
export async function initiatePlanRemoval(trx: Trx, deps: OrderDeps, order: Order): Promise<Order | null> {
  const updatedOrder = await initiateNextOperation(trx, order, 'plan_unwanted')
  if (updatedOrder) await deps.jobs.send(trx, orderQueue, order.id)
  return updatedOrder
}
