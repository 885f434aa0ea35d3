import type { Db, Trx } from '#kit/server/db.ts'
import { getCancellationDeadline } from '#kit/server/plan-period.ts'
import { isDisputeOpen } from '#features/disputes/disputes.states.ts'
import { listOrderDisputes } from '#features/disputes/server/disputes.store.ts'
import { callSupportText } from '#features/messages/server/messages.ts'
import { countCancelledPlans } from '#features/orders/server/cancelled-plans.store.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import { isRefundOwed } from '#features/refunds/refunds.states.ts'
import { listOrderRefunds } from '#features/refunds/server/refunds.store.ts'
import { isPlanQueued, type QueuedPlan } from '#features/services/server/queued-plans.store.ts'
import { nextPlanMessages } from '../next-plan.contract.ts'
import type { NextPlanDeps } from './next-plan.deps.ts'

/** How many of a service's next plans can be cancelled within the window before the customer has to call. */
const maxCancelledPlans = 3
const cancellationWindow = { hours: 30 * 24 }

/** Why the customer cannot cancel a queued plan; `null` if they can. Before cancelling it, the caller must lock the payment. */
export async function findReasonNotToCancelPlan(
  db: Db | Trx,
  deps: NextPlanDeps,
  serviceId: string,
  { order, waiting }: { order: Order; waiting: QueuedPlan },
): Promise<string | null> {
  const callInstruction = callSupportText(deps)
  const now = deps.clock.now()
  const cancelDeadline = getCancellationDeadline(waiting.startsAt, deps.market.zone)
  // Auto-renewal charges only on the current plan's last day, when the customer can no longer cancel.
  if (order.auto_renewal || Temporal.Instant.compare(now, cancelDeadline) >= 0)
    return nextPlanMessages.tooLate(callInstruction)
  // A plan is queued as soon as it is paid for, and its order completes a moment later.
  if (order.state !== 'completed') return nextPlanMessages.unfinished
  const disputes = await listOrderDisputes(db, order.id)
  if (disputes.some(({ state, outcome }) => isDisputeOpen(state, outcome)))
    return nextPlanMessages.disputed(callInstruction)
  if ((await listOrderRefunds(db, order.id)).some(isRefundOwed)) return nextPlanMessages.owed(callInstruction)
  const cancelledCount = await countCancelledPlans(db, serviceId, now.subtract(cancellationWindow))
  return cancelledCount >= maxCancelledPlans ? nextPlanMessages.tooOften(callInstruction) : null
}

/**
 * Why staff cannot cancel a plan before it starts; `null` if they can. Unlike the customer, staff can cancel in the last 24
 * hours, after a charge by auto-renewal or three cancellations, and during a dispute; disputed money stays disputed.
 */
export async function findStaffReasonNotToCancel(db: Db | Trx, order: Order): Promise<string | null> {
  if (!(await isPlanQueued(db, order.id))) return nextPlanMessages.none
  if (order.state !== 'completed') return 'This order is not finished yet. Try again in a minute.'
  if ((await listOrderRefunds(db, order.id)).some(isRefundOwed))
    return 'A refund of this order failed. Refund the customer again first, then cancel the next plan.'
  return null
}
