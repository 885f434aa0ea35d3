import type { Trx } from '#kit/server/db.ts'
import { invalidForm } from '#kit/server/refusal.ts'
import { orderMessages } from '#features/orders/orders.contract.ts'
import { findOrder } from '#features/orders/server/orders.store.ts'
import { findQueuedPlan } from '#features/services/server/queued-plans.store.ts'
import { nextPlanMessages } from '../next-plan.contract.ts'
import type { NextPlanDeps } from './next-plan.deps.ts'
import { whyNotCancelled } from './why-not.ts'

/**
 * The order of the queued plan that the customer wants to replace. A plan can be replaced when it can be cancelled.
 * @throws 400 when no plan is queued, when it differs from the plan shown, or when the customer cannot cancel it
 */
export async function planToChange(
  trx: Trx,
  deps: NextPlanDeps,
  serviceId: string,
  orderCode: string,
): Promise<string> {
  const waiting = await findQueuedPlan(trx, serviceId)
  const order = waiting && (await findOrder(trx, waiting.orderId))
  if (!waiting || !order) throw invalidForm(nextPlanMessages.none)
  if (order.order_code !== orderCode) throw invalidForm(orderMessages.changed)
  const why = await whyNotCancelled(trx, deps, serviceId, { order, waiting })
  if (why) throw invalidForm(why)
  return order.id
}
