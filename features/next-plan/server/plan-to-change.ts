import type { Trx } from '#kit/server/db.ts'
import { formError } from '#kit/server/http-error.ts'
import { orderMessages } from '#features/orders/orders.contract.ts'
import { findOrder } from '#features/orders/server/orders.store.ts'
import { findQueuedPlan } from '#features/services/server/queued-plans.store.ts'
import { nextPlanMessages } from '../next-plan.contract.ts'
import type { NextPlanDeps } from './next-plan.deps.ts'
import { findReasonNotToCancelPlan } from './cancel-rejection.ts'

/**
 * Returns the id of the queued plan's order if the customer can replace that plan. A plan that can be cancelled can also be
 * replaced.
 * @throws 400 when no plan is queued, when it is not the plan that the page showed, or when the customer cannot cancel
 * it
 */
export async function findPlanToChange(
  trx: Trx,
  deps: NextPlanDeps,
  serviceId: string,
  orderCode: string,
): Promise<string> {
  const queuedPlan = await findQueuedPlan(trx, serviceId)
  const order = queuedPlan && (await findOrder(trx, queuedPlan.orderId))
  if (!queuedPlan || !order) throw formError(nextPlanMessages.none)
  if (order.order_code !== orderCode) throw formError(orderMessages.changed)
  const rejectionReason = await findReasonNotToCancelPlan(trx, deps, serviceId, { order, waiting: queuedPlan })
  if (rejectionReason) throw formError(rejectionReason)
  return order.id
}
