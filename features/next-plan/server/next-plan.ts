import { setTimeout as pause } from 'node:timers/promises'
import { type Actor, formatActor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { formError } from '#kit/server/http-error.ts'
import { stopAutoRenewal } from '#features/auto-renewal/server/auto-renewal.ts'
import { findLastCancelledPlan } from '#features/orders/server/cancelled-plans.store.ts'
import { dequeueCancelledPlan } from '#features/orders/server/orders.ts'
import { recordOrderEvent, planCancelledEventName } from '#features/orders/server/order-events.store.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import { findOrder, type Order } from '#features/orders/server/orders.store.ts'
import { lockOrderPayment } from '#features/orders/server/payments.store.ts'
import type { ServiceWithPlanRow } from '#features/services/server/own-service.store.ts'
import { findServiceSchedule } from '#features/services/server/plan-life.store.ts'
import { findQueuedPlan } from '#features/services/server/queued-plans.store.ts'
import { nextPlanMessages } from '../next-plan.contract.ts'
import type { NextPlanDeps } from './next-plan.deps.ts'
import { findReasonNotToCancelPlan, findStaffReasonNotToCancel } from './cancel-rejection.ts'

/**
 * Cancels a service's queued plan. One transaction takes the plan out of the queue and records that the network must
 * remove it. A worker then has it removed and refunds it, and this function waits a few seconds for the network. Cancelling
 * a plan that has already been cancelled succeeds without effect.
 * @throws 400 with the reason when no plan is queued, or when the customer can no longer cancel it
 */
export async function cancelQueuedPlan(
  deps: NextPlanDeps,
  service: ServiceWithPlanRow,
  sessionId: string | null,
): Promise<void> {
  const orderId = await transact(deps.db, (trx) => beginCancellation(trx, deps, service, sessionId))
  await awaitPlanRemoval(deps, orderId)
}

async function beginCancellation(
  trx: Trx,
  deps: NextPlanDeps,
  service: ServiceWithPlanRow,
  sessionId: string | null,
): Promise<string> {
  const { id: serviceId, user_id: userId } = service
  const queuedPlan = await findQueuedPlan(trx, serviceId)
  if (!queuedPlan) return findCancelledOrder(trx, serviceId)
  // Lock order: first the payment, so that refunds and disputes on it have to wait, then the order and its service.
  await lockOrderPayment(trx, queuedPlan.orderId)
  const order = await findOrder(trx, queuedPlan.orderId)
  if (!order || order.state === 'cancelling' || order.state === 'cancelled') return findCancelledOrder(trx, serviceId)
  const rejectionReason = await findReasonNotToCancelPlan(trx, deps, serviceId, { order, waiting: queuedPlan })
  if (rejectionReason) throw formError(rejectionReason)
  const cancelledOrder = await dequeuePlanAndAudit(trx, deps, order, { by: 'customer', userId, sessionId })
  if (cancelledOrder === 'moved') return findCancelledOrder(trx, serviceId)
  // Throwing here rolls back the order's change of state.
  if (cancelledOrder === 'begun') throw formError(nextPlanMessages.none)
  return order.id
}

const planStartedError = new Error('the next plan has started')

/**
 * Cancels an order's queued plan on behalf of staff. Unlike the customer, staff can cancel until the plan starts, even if
 * auto-renewal paid for it; auto-renewal is then turned off, because it would charge the card again. A worker has the
 * plan removed from the network and refunds the payment. Returns why the plan cannot be cancelled, or `null` on success.
 */
export async function cancelQueuedPlanByOperator(
  deps: OrderDeps,
  { id }: Pick<Order, 'id'>,
  actor: Actor,
): Promise<string | null> {
  try {
    return await transact(deps.db, async (trx) => {
      await lockOrderPayment(trx, id)
      const order = await findOrder(trx, id)
      if (!order) return nextPlanMessages.none
      const rejectionReason = await findStaffReasonNotToCancel(trx, order)
      if (rejectionReason) return rejectionReason
      const cancelledOrder = await dequeuePlanAndAudit(trx, deps, order, actor)
      if (cancelledOrder === 'begun') throw planStartedError
      if (cancelledOrder === 'moved') return nextPlanMessages.none
      if (order.auto_renewal && order.service_id && order.user_id)
        await stopAutoRenewal(trx, deps, { id: order.service_id, userId: order.user_id }, actor)
      return null
    })
  } catch (error) {
    if (error !== planStartedError) throw error
    return nextPlanMessages.none
  }
}

async function dequeuePlanAndAudit(trx: Trx, deps: OrderDeps, order: Order, actor: Actor) {
  const cancelledOrder = await dequeueCancelledPlan(trx, deps, order)
  if (cancelledOrder !== 'taken') return cancelledOrder
  const isCustomer = actor.by === 'customer'
  await recordOrderEvent(trx, {
    orderId: order.id,
    kind: 'act',
    name: planCancelledEventName,
    actor: formatActor(actor),
  })
  await audit(trx, deps.clock, {
    event: 'next_plan_cancelled',
    userId: order.user_id,
    ...(isCustomer ? { sessionId: actor.sessionId ?? null } : { actor }),
    details: { order: order.order_code, service: order.service_id ?? '' },
  })
  return cancelledOrder
}

/** Returns the id of the order whose queued plan another request has just cancelled. @throws 400 when there is none */
async function findCancelledOrder(trx: Trx, serviceId: string): Promise<string> {
  const last = await findLastCancelledPlan(trx, serviceId)
  const plan = await findServiceSchedule(trx, serviceId)
  if (!last || last.renews_order_id !== plan?.orderId) throw formError(nextPlanMessages.none)
  return last.id
}

const maxWaitMs = 5_000
const pollIntervalMs = 150

async function awaitPlanRemoval({ db }: NextPlanDeps, orderId: string): Promise<void> {
  const deadline = performance.now() + maxWaitMs
  while ((await findOrder(db, orderId))?.state === 'cancelling' && performance.now() < deadline)
    await pause(pollIntervalMs)
}
