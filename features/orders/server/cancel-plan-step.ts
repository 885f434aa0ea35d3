import { fromDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { lockServiceWithSchedule } from '#features/services/server/plan-life.store.ts'
import { startOrQueuePlan } from '#features/services/server/services.ts'
import { purgeServiceReadings } from '#features/usage/server/readings.store.ts'
import { isReplacementTooLate } from '../orders.states.ts'
import { deleteCancelledPlan } from './cancelled-plans.store.ts'
import { type Operation, listOrderOperations } from './operations.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import { lockOrder, transitionOrder, type Order } from './orders.store.ts'
import { lockOrderPayment } from './payments.store.ts'
import { isReplaced } from './purchases.store.ts'
import { ownsService } from './service-ownership.ts'
import type { StepResult } from './step-result.ts'
import { resolveOpenOperation } from './undo-step.ts'

export async function runCancelPlanStep(deps: OrderDeps, order: Order): Promise<StepResult> {
  const removalOperation = findLatestRemoval(await listOrderOperations(deps.db, order.id))
  if (!removalOperation)
    throw new Error(`order ${order.order_code} is cancelling, and nothing was asked of the network`)
  if (removalOperation.state === 'initiated') return resolveOpenOperation(deps, order, removalOperation)
  return transact(deps.db, async (trx) => {
    if (removalOperation.state === 'completed') return deps.planRemoved(trx, order)
    await lockOrderPayment(trx, order.id)
    await lockOrder(trx, order.id)
    return (await canRequeuePlan(trx, order)) ? requeuePlan(trx, deps, order) : deps.planRemoved(trx, order)
  })
}

/**
 * Whether the cancelled plan can be queued again. It cannot once its number has been released or another plan has replaced
 * it. The plan is then refunded even if the network still has it, and a task tells the operator.
 */
const canRequeuePlan = async (trx: Trx, order: Order): Promise<boolean> =>
  (await ownsService(trx, order)) && !isReplacementTooLate(order) && !(await isReplaced(trx, order.id))

const findLatestRemoval = (operations: Operation[]): Operation | undefined =>
  operations
    .filter(({ kind }) => kind === 'remove_plan')
    .toSorted((one, other) => one.attempt - other.attempt)
    .at(-1)

/**
 * Queues the plan again, to start when the current plan ends. If the current plan has already ended, the plan counts as
 * having started at that moment, which is also how the network treats it.
 */
async function requeuePlan(trx: Trx, deps: OrderDeps, order: Order): Promise<StepResult> {
  const moved = await transitionOrder(trx, order, 'plan_kept')
  if (!moved) return 'stop'
  const lockedService = order.service_id ? await lockServiceWithSchedule(trx, order.service_id) : null
  if (!lockedService)
    throw new Error(`the service of order ${order.order_code} disappeared while its plan was queued again`)
  await deleteCancelledPlan(trx, order.id)
  await startOrQueuePlan(trx, deps, lockedService, {
    orderId: order.id,
    product: order.product,
    startsAt: order.starts_at && fromDate(order.starts_at),
  })
  await purgeServiceReadings(trx, lockedService.service.id)
  await deps.planKept(trx, moved)
  return moved
}
