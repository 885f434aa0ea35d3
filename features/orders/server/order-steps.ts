import { transact, type Trx } from '#kit/server/db.ts'
import type { OrderState } from '../orders.states.ts'
import { runCancelPlanStep } from './cancel-plan-step.ts'
import { runFinishStep } from './finish-step.ts'
import { initiateNextOperation } from './initiate-next-operation.ts'
import { orderTypes } from './order-types.ts'
import { runNetworkStep } from './network-steps.ts'
import type { OrderDeps } from './orders.deps.ts'
import { paysByCard, transitionOrder, type Order } from './orders.store.ts'
import { type Attempt, findLatestAttempt, transitionAttempt } from './payments.store.ts'
import { resolvePayment } from './payments.ts'
import { reportPaymentTask } from './notified-payments.store.ts'
import { createCaptureRequest, recordUnconfirmedRequest, isNotificationReceived } from './unconfirmed-requests.store.ts'
import type { Step, StepResult } from './step-result.ts'
import { findReasonNotToDeliver } from './delivery-checks.ts'
import { runUndoStep } from './undo-step.ts'

export const steps: Partial<Record<OrderState, Step>> = {
  paying: runResolvePaymentStep,
  payment_unknown: runResolvePaymentStep,
  authorised: runBeginStep,
  activating_sim: (deps, order) =>
    runNetworkStep(deps, order, (trx) => initiateNextOperation(trx, order, 'sim_activated')),
  adding_plan: (deps, order) =>
    runNetworkStep(deps, order, (trx) =>
      paysByCard(order)
        ? transitionOrder(trx, order, 'plan_added')
        : orderTypes[order.kind].applyToService(trx, deps, order, 'plan_added_paid'),
    ),
  adding_addon: (deps, order) =>
    runNetworkStep(deps, order, (trx) =>
      paysByCard(order)
        ? transitionOrder(trx, order, 'addon_added')
        : orderTypes[order.kind].applyToService(trx, deps, order, 'addon_added_paid'),
    ),
  capturing: runCaptureStep,
  finishing: runFinishStep,
  undoing: runUndoStep,
  cancelling: runCancelPlanStep,
}

async function runResolvePaymentStep(deps: OrderDeps, order: Order): Promise<StepResult> {
  await resolvePayment(deps, order)
  // Resolving the payment has already scheduled the order's next job or retry.
  return 'stop'
}

function runBeginStep(deps: OrderDeps, order: Order): Promise<StepResult> {
  return transact(deps.db, async (trx) => {
    const { needsService, begin: beginOrder } = orderTypes[order.kind]
    const failureCode = needsService && (await findReasonNotToDeliver(trx, order))
    if (failureCode) return (await transitionOrder(trx, order, 'fail', { failure_code: failureCode })) ?? 'stop'
    return (await beginOrder(trx, deps, order)) ?? 'stop'
  })
}

async function runCaptureStep(deps: OrderDeps, order: Order): Promise<StepResult> {
  const attempt = await findLatestAttempt(deps.db, order.id)
  if (!attempt?.psp_reference) throw new Error(`order ${order.order_code} has nothing to capture`)
  const failureCode =
    attempt.state === 'authorised' &&
    orderTypes[order.kind].needsService &&
    (await findReasonNotToDeliver(deps.db, order))
  if (failureCode)
    return transact(
      deps.db,
      async (trx) => (await transitionOrder(trx, order, 'fail', { failure_code: failureCode })) ?? 'stop',
    )
  await transitionAttempt(deps.db, attempt, 'capture_begun')
  const captureResult = await deps.card.capture({
    originalReference: attempt.psp_reference,
    reference: attempt.reference,
    idempotencyKey: `${attempt.idempotency_key}-c`,
    amount: attempt.amount_cents,
    currency: attempt.currency,
  })
  if (captureResult.outcome === 'unknown') return 'wait'
  return transact(deps.db, async (trx) => {
    if (captureResult.outcome === 'refused')
      return (await transitionOrder(trx, order, 'fail', { failure_code: `capture ${captureResult.code}` })) ?? 'stop'
    const { pspReference } = captureResult
    // Lock order: every transaction that needs both locks the payment before its order.
    await recordPaymentCaptured(trx, deps, attempt, pspReference)
    return (await orderTypes[order.kind].applyToService(trx, deps, order, 'captured')) ?? 'stop'
  })
}

async function recordPaymentCaptured(trx: Trx, deps: OrderDeps, attempt: Attempt, pspReference: string): Promise<void> {
  const capturedAttempt = await transitionAttempt(trx, attempt, 'captured', { capture_psp_reference: pspReference })
  if (!capturedAttempt) return
  const captureRequest = createCaptureRequest(capturedAttempt, pspReference)
  const isNotified = capturedAttempt.captured_at !== null || capturedAttempt.capture_failed_at !== null
  if (isNotified && !(await isNotificationReceived(trx, captureRequest)))
    await reportPaymentTask(
      trx,
      attempt,
      `the gateway answered the capture of ${attempt.reference} with the reference ${pspReference}, and reports it under another one: ` +
        'check on the gateway’s site that the money was taken only once',
    )
  else await recordUnconfirmedRequest(trx, deps, captureRequest)
}
