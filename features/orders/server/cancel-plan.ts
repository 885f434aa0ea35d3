import { fromDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { lockServiceWithSchedule } from '#features/services/server/plan-life.store.ts'
import { startOrQueuePlan } from '#features/services/server/services.ts'
import { purgeReadingsOf } from '#features/usage/server/readings.store.ts'
import { cameTooLate } from '../orders.states.ts'
import { deleteCancelledPlan } from './cancelled-plans.store.ts'
import { type Operation, operationsOf } from './operations.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import { lockOrder, moveOrder, type Order } from './orders.store.ts'
import { lockPaymentOf } from './payments.store.ts'
import { isReplaced } from './purchases.store.ts'
import { ownsService } from './service-ownership.ts'
import type { StepResult } from './step.ts'
import { resolveOpenOperation } from './undo.ts'

/** Has the plan removed; only what is removed is paid back, and what the network would not remove waits as before. */
export async function cancelPlanStep(deps: OrderDeps, order: Order): Promise<StepResult> {
  const removal = latestRemoval(await operationsOf(deps.db, order.id))
  if (!removal) throw new Error(`order ${order.order_code} is cancelling, and nothing was asked of the network`)
  if (removal.state === 'initiated') return resolveOpenOperation(deps, order, removal)
  return transact(deps.db, async (trx) => {
    if (removal.state === 'completed') return deps.planRemoved(trx, order)
    await lockPaymentOf(trx, order.id)
    await lockOrder(trx, order.id)
    return (await canWaitAgain(trx, order)) ? keepPlan(trx, deps, order) : deps.planRemoved(trx, order)
  })
}

/**
 * With its number the plan has gone, too. One whose place another has taken is paid back all the same: a person is told of what the
 * network still has.
 */
const canWaitAgain = async (trx: Trx, order: Order): Promise<boolean> =>
  (await ownsService(trx, order)) && !cameTooLate(order) && !(await isReplaced(trx, order.id))

const latestRemoval = (operations: Operation[]): Operation | undefined =>
  operations
    .filter(({ kind }) => kind === 'remove_plan')
    .toSorted((one, other) => one.attempt - other.attempt)
    .at(-1)

/** It begins when the present plan ends; once that has come and gone, from there, as the network has it. */
async function keepPlan(trx: Trx, deps: OrderDeps, order: Order): Promise<StepResult> {
  const moved = await moveOrder(trx, order, 'plan_kept')
  if (!moved) return 'stop'
  const locked = order.service_id ? await lockServiceWithSchedule(trx, order.service_id) : null
  if (!locked) throw new Error(`the service of order ${order.order_code} went while its next plan was kept`)
  await deleteCancelledPlan(trx, order.id)
  await startOrQueuePlan(trx, deps, locked, {
    orderId: order.id,
    product: order.product,
    startsAt: order.starts_at && fromDate(order.starts_at),
  })
  await purgeReadingsOf(trx, locked.service.id)
  await deps.planKept(trx, moved)
  return moved
}
