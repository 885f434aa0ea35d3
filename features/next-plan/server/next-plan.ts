import { setTimeout as pause } from 'node:timers/promises'
import { type Actor, nameOf } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { invalidForm } from '#kit/server/refusal.ts'
import { stopAutoRenewal } from '#features/auto-renewal/server/auto-renewal.ts'
import { findLastCancelled } from '#features/orders/server/cancelled-plans.store.ts'
import { unqueuePlan } from '#features/orders/server/orders.ts'
import { noteOrderEvent, planCancelled } from '#features/orders/server/order-events.store.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import { findOrder, type Order } from '#features/orders/server/orders.store.ts'
import { lockPaymentOf } from '#features/orders/server/payments.store.ts'
import type { OwnService } from '#features/services/server/own-service.store.ts'
import { findScheduleOf } from '#features/services/server/plan-life.store.ts'
import { findQueuedPlan } from '#features/services/server/queued-plans.store.ts'
import { nextPlanMessages } from '../next-plan.contract.ts'
import type { NextPlanDeps } from './next-plan.deps.ts'
import { whyNotCancelled, whyNotCancelledByOperator } from './why-not.ts'

/**
 * Cancels a service's queued plan. One transaction takes the plan out of the queue and records the intent to remove it.
 * A worker handles the network and the refund; this call waits a few seconds for the result. Idempotent for a plan that
 * is already cancelled.
 * @throws 400 with the reason when no plan is queued, or the customer can no longer cancel it
 */
export async function cancelPlan(deps: NextPlanDeps, service: OwnService, sessionId: string | null): Promise<void> {
  const orderId = await transact(deps.db, (trx) => begin(trx, deps, service, sessionId))
  await awaitRemoval(deps, orderId)
}

async function begin(trx: Trx, deps: NextPlanDeps, service: OwnService, sessionId: string | null): Promise<string> {
  const { id: serviceId, user_id: userId } = service
  const waiting = await findQueuedPlan(trx, serviceId)
  if (!waiting) return cancelledBefore(trx, serviceId)
  // Lock order: the payment, so that its refunds and disputes wait; then the order; then its service.
  await lockPaymentOf(trx, waiting.orderId)
  const order = await findOrder(trx, waiting.orderId)
  if (!order || order.state === 'cancelling' || order.state === 'cancelled') return cancelledBefore(trx, serviceId)
  const why = await whyNotCancelled(trx, deps, serviceId, { order, waiting })
  if (why) throw invalidForm(why)
  const taken = await takeFromQueue(trx, deps, order, { by: 'customer', userId, sessionId })
  if (taken === 'moved') return cancelledBefore(trx, serviceId)
  // Throwing rolls back the order's new state.
  if (taken === 'begun') throw invalidForm(nextPlanMessages.none)
  return order.id
}

const startedMeanwhile = new Error('the next plan has started')

/**
 * Cancels the queued plan of an order on behalf of staff. Unlike the customer, staff may cancel until the plan starts,
 * even when auto-renewal charged it. Auto-renewal is then switched off, because it would charge the card again. The
 * worker removes the plan at the network and refunds the payment. Returns why the plan cannot be cancelled, or `null`.
 */
export async function cancelPlanByOperator(
  deps: OrderDeps,
  { id }: Pick<Order, 'id'>,
  actor: Actor,
): Promise<string | null> {
  try {
    return await transact(deps.db, async (trx) => {
      await lockPaymentOf(trx, id)
      const order = await findOrder(trx, id)
      if (!order) return nextPlanMessages.none
      const why = await whyNotCancelledByOperator(trx, order)
      if (why) return why
      const taken = await takeFromQueue(trx, deps, order, actor)
      if (taken === 'begun') throw startedMeanwhile
      if (taken === 'moved') return nextPlanMessages.none
      if (order.auto_renewal && order.service_id && order.user_id)
        await stopAutoRenewal(trx, deps, { id: order.service_id, userId: order.user_id }, actor)
      return null
    })
  } catch (error) {
    if (error !== startedMeanwhile) throw error
    return nextPlanMessages.none
  }
}

async function takeFromQueue(trx: Trx, deps: OrderDeps, order: Order, actor: Actor) {
  const taken = await unqueuePlan(trx, deps, order)
  if (taken !== 'taken') return taken
  const isCustomer = actor.by === 'customer'
  await noteOrderEvent(trx, { orderId: order.id, kind: 'act', name: planCancelled, actor: nameOf(actor) })
  await audit(trx, deps.clock, {
    event: 'next_plan_cancelled',
    userId: order.user_id,
    ...(isCustomer ? { sessionId: actor.sessionId ?? null } : { actor }),
    details: { order: order.order_code, service: order.service_id ?? '' },
  })
  return taken
}

/** The order of the queued plan that another request has cancelled. @throws 400 when there is none */
async function cancelledBefore(trx: Trx, serviceId: string): Promise<string> {
  const last = await findLastCancelled(trx, serviceId)
  const plan = await findScheduleOf(trx, serviceId)
  if (!last || last.renews_order_id !== plan?.orderId) throw invalidForm(nextPlanMessages.none)
  return last.id
}

const longestWaitMs = 5_000
const pollEveryMs = 150

async function awaitRemoval({ db }: NextPlanDeps, orderId: string): Promise<void> {
  const end = performance.now() + longestWaitMs
  while ((await findOrder(db, orderId))?.state === 'cancelling' && performance.now() < end) await pause(pollEveryMs)
}
