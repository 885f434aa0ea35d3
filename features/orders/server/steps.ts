import { transact, type Trx } from '#kit/server/db.ts'
import type { OrderState } from '../orders.states.ts'
import { cancelPlanStep } from './cancel-plan.ts'
import { finish } from './finish.ts'
import { moveAndInitiate } from './initiate.ts'
import { kinds } from './kinds.ts'
import { networkStep } from './network-steps.ts'
import type { OrderDeps } from './orders.deps.ts'
import { paysByCard, moveOrder, type Order } from './orders.store.ts'
import { type Attempt, latestAttempt, moveAttempt } from './payments.store.ts'
import { resolvePayment } from './payments.ts'
import { reportPayment } from './notified-payments.store.ts'
import { captureOf, expectOutcome, isTold } from './unconfirmed-calls.store.ts'
import type { Step, StepResult } from './step.ts'
import { whyTooLate } from './too-late.ts'
import { undoStep } from './undo.ts'

export const steps: Partial<Record<OrderState, Step>> = {
  paying: resolveThenGoOn,
  payment_unknown: resolveThenGoOn,
  authorised: begin,
  activating_sim: (deps, order) => networkStep(deps, order, (trx) => moveAndInitiate(trx, order, 'sim_activated')),
  adding_plan: (deps, order) =>
    networkStep(deps, order, (trx) =>
      paysByCard(order)
        ? moveOrder(trx, order, 'plan_added')
        : kinds[order.kind].deliver(trx, deps, order, 'plan_added_paid'),
    ),
  adding_addon: (deps, order) =>
    networkStep(deps, order, (trx) =>
      paysByCard(order)
        ? moveOrder(trx, order, 'addon_added')
        : kinds[order.kind].deliver(trx, deps, order, 'addon_added_paid'),
    ),
  capturing: capture,
  finishing: finish,
  undoing: undoStep,
  cancelling: cancelPlanStep,
}

async function resolveThenGoOn(deps: OrderDeps, order: Order): Promise<StepResult> {
  await resolvePayment(deps, order)
  // The outcome schedules a job or a retry of its own.
  return 'stop'
}

function begin(deps: OrderDeps, order: Order): Promise<StepResult> {
  return transact(deps.db, async (trx) => {
    const { needsService, begin: first } = kinds[order.kind]
    const why = needsService && (await whyTooLate(trx, order))
    if (why) return (await moveOrder(trx, order, 'fail', { failure_code: why })) ?? 'stop'
    return (await first(trx, deps, order)) ?? 'stop'
  })
}

async function capture(deps: OrderDeps, order: Order): Promise<StepResult> {
  const attempt = await latestAttempt(deps.db, order.id)
  if (!attempt?.psp_reference) throw new Error(`order ${order.order_code} has nothing to capture`)
  const why = attempt.state === 'authorised' && kinds[order.kind].needsService && (await whyTooLate(deps.db, order))
  if (why)
    return transact(deps.db, async (trx) => (await moveOrder(trx, order, 'fail', { failure_code: why })) ?? 'stop')
  await moveAttempt(deps.db, attempt, 'capture_begun')
  const answer = await deps.card.capture({
    originalReference: attempt.psp_reference,
    reference: attempt.reference,
    idempotencyKey: `${attempt.idempotency_key}-c`,
    amount: attempt.amount_cents,
    currency: attempt.currency,
  })
  if (answer.outcome === 'unknown') return 'wait'
  return transact(deps.db, async (trx) => {
    if (answer.outcome === 'refused')
      return (await moveOrder(trx, order, 'fail', { failure_code: `capture ${answer.code}` })) ?? 'stop'
    const { pspReference } = answer
    // Every transaction that locks both locks the payment before its order.
    await noteTaken(trx, deps, attempt, pspReference)
    return (await kinds[order.kind].deliver(trx, deps, order, 'captured')) ?? 'stop'
  })
}

async function noteTaken(trx: Trx, deps: OrderDeps, attempt: Attempt, pspReference: string): Promise<void> {
  const captured = await moveAttempt(trx, attempt, 'captured', { capture_psp_reference: pspReference })
  if (!captured) return
  const call = captureOf(captured, pspReference)
  const isNotified = captured.captured_at !== null || captured.capture_failed_at !== null
  if (isNotified && !(await isTold(trx, call)))
    await reportPayment(
      trx,
      attempt,
      `the gateway answered the capture of ${attempt.reference} with the reference ${pspReference}, and reports it under another one: ` +
        'check on the gateway’s site that the money was taken only once',
    )
  else await expectOutcome(trx, deps, call)
}
