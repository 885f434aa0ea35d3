import { audit } from '#kit/server/audit.ts'
import type { Trx } from '#kit/server/db.ts'
import { lockService } from '#features/services/server/plan-life.store.ts'
import { findQueuedPlan } from '#features/services/server/queued-plans.store.ts'
import { type OrderEvent, planHasBegunCode } from '../orders.states.ts'
import type { OrderDeps } from './orders.deps.ts'
import { lockOrder, transitionOrder, type Order } from './orders.store.ts'
import { lockOrderPayment } from './payments.store.ts'
import { ownsService } from './service-ownership.ts'
import { hasPlanBegun } from './delivery-checks.ts'
import { dequeueCancelledPlan } from './dequeue-cancelled-plan.ts'

/**
 * Delivers a paid order that replaces a queued plan. In the same transaction, the old plan leaves the queue and becomes due
 * for a refund, and `deliver` queues the new plan. If the old plan has been cancelled in the meantime, the new plan is
 * simply delivered. If the old plan has started, it is kept, and the new order comes too late. Returns `null` if another
 * worker has already changed the order's state.
 */
export async function deliverAndReplaceQueuedPlan(
  trx: Trx,
  deps: OrderDeps,
  { order, event }: { order: Order; event: OrderEvent },
  deliver: () => Promise<Order | null>,
): Promise<Order | null> {
  const { instead_of_order_id: oldId, service_id: serviceId } = order
  if (!oldId || !serviceId) return deliver()
  // Lock order: transactions that need several of these locks take the payment first, then the orders, then the service.
  await lockOrderPayment(trx, oldId)
  const oldOrder = await lockOrder(trx, oldId)
  const { version } = await lockOrder(trx, order.id)
  if (version !== order.version) return null
  await lockService(trx, serviceId)
  if (!(await ownsService(trx, order))) return deliver()
  if (await hasPlanBegun(trx, order)) return markReplacementTooLate(trx, order, event)
  if ((await findQueuedPlan(trx, serviceId))?.orderId === oldId)
    await replaceQueuedPlan(trx, deps, { order, old: oldOrder })
  return deliver()
}

async function replaceQueuedPlan(
  trx: Trx,
  deps: OrderDeps,
  { order, old }: { order: Order; old: Order },
): Promise<void> {
  const dequeueResult = await dequeueCancelledPlan(trx, deps, old)
  if (dequeueResult !== 'taken')
    throw new Error(`the queued plan of ${old.order_code} could not be dequeued: ${dequeueResult}`)
  await audit(trx, deps.clock, {
    event: 'next_plan_changed',
    userId: order.user_id,
    sessionId: order.session_id,
    details: { order: order.order_code, instead_of: old.order_code, service: order.service_id ?? '' },
  })
}

/**
 * Marks an order as too late. If its money has been captured, the money is refunded once the order has been invoiced.
 * Otherwise the order fails and nothing is charged.
 */
const markReplacementTooLate = (trx: Trx, order: Order, event: OrderEvent): Promise<Order | null> =>
  transitionOrder(trx, order, event === 'captured' ? event : 'fail', { failure_code: planHasBegunCode })
