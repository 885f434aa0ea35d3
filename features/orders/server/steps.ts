import { toDate } from '#kit/server/clock.ts'
import { transact } from '#kit/server/db.ts'
import type { OrderState } from '../orders.states.ts'
import { deliver } from './deliver.ts'
import { finish } from './finish.ts'
import { moveAndInitiate, networkStep } from './network-steps.ts'
import type { OrderDeps } from './orders.deps.ts'
import { moveOrder, type Order } from './orders.store.ts'
import { latestAttempt, moveAttempt } from './payments.store.ts'
import { settlePayment } from './payments.ts'
import type { Step, StepResult } from './step.ts'
import { gone, isStillTheirs } from './still-theirs.ts'
import { undoStep } from './undo.ts'

/** What the worker does with an order in each state. States without a step are not the worker's. */
export const steps: Partial<Record<OrderState, Step>> = {
  paying: settle,
  payment_unknown: settle,
  authorised: begin,
  activating_sim: (deps, order) =>
    networkStep(deps, order, 'activate_sim', (trx) => moveAndInitiate(trx, order, 'sim_activated', 'add_plan')),
  adding_plan: (deps, order) =>
    networkStep(deps, order, 'add_plan', (trx) =>
      order.amount_cents > 0 ? moveOrder(trx, order, 'plan_added') : deliver(trx, deps, order, 'plan_added_paid'),
    ),
  adding_addon: (deps, order) =>
    networkStep(deps, order, 'add_addon', (trx) =>
      order.amount_cents > 0 ? moveOrder(trx, order, 'addon_added') : deliver(trx, deps, order, 'addon_added_paid'),
    ),
  capturing: capture,
  finishing: finish,
  undoing: undoStep,
}

async function settle(deps: OrderDeps, order: Order): Promise<StepResult> {
  await settlePayment(deps, order)
  // What comes of it is a job or a wake-up of its own.
  return 'stop'
}

/** The first thing to ask of the network, unless what it is for has gone meanwhile. */
function begin(deps: OrderDeps, order: Order): Promise<StepResult> {
  return transact(deps.db, async (trx) => {
    if (order.kind === 'activation') return (await moveAndInitiate(trx, order, 'begin', 'activate_sim')) ?? 'stop'
    if (!(await isStillTheirs(trx, order))) return (await moveOrder(trx, order, 'fail', { failure_code: gone })) ?? 'stop'
    if (order.kind === 'addon') return (await moveAndInitiate(trx, order, 'begin_addon', 'add_addon')) ?? 'stop'
    // A day that has come is now: what the network is asked for is what we write down.
    const isDue = order.starts_at !== null && order.starts_at <= toDate(deps.clock.now())
    return (await moveAndInitiate(trx, order, 'begin_plan', 'add_plan', isDue ? { starts_at: null } : {})) ?? 'stop'
  })
}

/** Takes the money, now that the customer has what it is for. */
async function capture(deps: OrderDeps, order: Order): Promise<StepResult> {
  const attempt = await latestAttempt(deps.db, order.id)
  if (!attempt?.psp_reference) throw new Error(`order ${order.order_code} has nothing to capture`)
  if (attempt.state === 'authorised' && order.kind !== 'activation' && !(await isStillTheirs(deps.db, order))) {
    return transact(deps.db, async (trx) => (await moveOrder(trx, order, 'fail', { failure_code: gone })) ?? 'stop')
  }
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
    if (answer.outcome === 'refused') return (await moveOrder(trx, order, 'fail', { failure_code: `capture ${answer.code}` })) ?? 'stop'
    await moveAttempt(trx, attempt, 'captured', { capture_psp_reference: answer.pspReference })
    return (await deliver(trx, deps, order, 'captured')) ?? 'stop'
  })
}
