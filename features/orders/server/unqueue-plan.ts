import type { Trx } from '#kit/server/db.ts'
import { lockService } from '#features/services/server/plan-life.store.ts'
import { takeQueuedPlanOf } from '#features/services/server/queued-plans.store.ts'
import { insertCancelledPlan } from './cancelled-plans.store.ts'
import { moveAndInitiate } from './initiate.ts'
import type { OrderDeps } from './orders.deps.ts'
import { type Order, orderRetries } from './orders.store.ts'

/**
 * Takes the plan of an order out of the queue of its service, for it to be removed at the network and given back. 'moved': another
 * was first with its order, and nothing is written; 'begun': it does not wait any more, and the caller's transaction has to be taken
 * back. Its payment is locked.
 */
export async function unqueuePlan(trx: Trx, deps: OrderDeps, order: Order): Promise<'taken' | 'moved' | 'begun'> {
  const serviceId = order.service_id ?? ''
  if (!(await beginCancellingPlan(trx, deps, order))) return 'moved'
  await lockService(trx, serviceId)
  // Whoever takes it out of the queue decides: it begins, or it is cancelled.
  if (!(await takeQueuedPlanOf(trx, serviceId, order.id))) return 'begun'
  await insertCancelledPlan(trx, { orderId: order.id, serviceId, at: deps.clock.now() })
  return 'taken'
}

/**
 * Writes down that the plan of an order is removed at the network before any money goes back. Null when another was first with the
 * order.
 */
export async function beginCancellingPlan(trx: Trx, deps: OrderDeps, order: Order): Promise<Order | null> {
  const moved = await moveAndInitiate(trx, order, 'plan_unwanted')
  if (moved) await deps.jobs.send(trx, orderRetries, order.id)
  return moved
}
