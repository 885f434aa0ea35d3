import { fromDate, realNow } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { backOff, retryIn } from '#kit/server/retries.ts'
import type { ModificationOutcome } from '#providers/card/card.port.ts'
import { reportToOperator } from '#features/operator-tasks/server/operator-tasks.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import { neverConfirmed } from './unconfirmed-calls.present.ts'
import {
  endWaitingFor,
  findUnconfirmed,
  isTold,
  lockDueCalls,
  scheduleCall,
  stopAsking,
  subjectOf,
  taskKindOf,
  type UnconfirmedCall,
  unconfirmedCallRetries,
} from './unconfirmed-calls.store.ts'

type Deps = Pick<OrderDeps, 'db' | 'clock' | 'jobs' | 'card' | 'log' | 'thresholds'>

export async function runDueCalls(deps: Deps, now: Temporal.Instant): Promise<void> {
  const { onItsWayMs } = deps.thresholds
  for (let left = true; left;)
    left = await transact(deps.db, async (trx) => {
      const calls = await lockDueCalls(trx, { now, onItsWayMs })
      for (const call of calls) await doStep(trx, deps, call)
      return calls.length > 0
    })
}

async function doStep(trx: Trx, deps: Deps, call: UnconfirmedCall): Promise<void> {
  if (await isTold(trx, call)) return endWaitingFor(trx, call)
  const { unconfirmedHours, askAgainHours } = deps.thresholds
  if (call.step === 'ask' && call.due_at) {
    const dueAt = fromDate(call.due_at).add({ hours: unconfirmedHours - askAgainHours })
    await scheduleCall(trx, call, { step: 'report', dueAt })
  } else {
    await report(trx, call, neverConfirmed(call))
    await scheduleCall(trx, call, { step: 'report', dueAt: null })
  }
  await deps.jobs.send(trx, unconfirmedCallRetries, call.id)
}

const report = (trx: Trx, call: UnconfirmedCall, reason: string): Promise<void> =>
  reportToOperator(trx, { kind: taskKindOf(call), orderId: call.order_id, subject: subjectOf(call), reason })

/**
 * The gateway keeps an idempotency key for at least a week and at most a month. After that, a repeat would be a new
 * call.
 */
const daysToAskAgain = 7
const longestPauseSeconds = 3_600

/**
 * Repeats a call under its own idempotency key, so that the gateway does nothing twice. The same response as before
 * proves nothing, because only the notification confirms the outcome. A refusal creates a task at once.
 */
export async function askAgain(deps: Deps, id: string): Promise<void> {
  const call = await findUnconfirmed(deps.db, id)
  if (!call?.retry_at) return
  if (realNow().since(fromDate(call.acknowledged_at)).total('hours') > daysToAskAgain * 24)
    return void (await stopAsking(deps.db, call))
  const answer = await send(deps, call)
  deps.log.info(
    { call: subjectOf(call), answer: answer.outcome },
    'the gateway was asked for what it has not confirmed',
  )
  switch (answer.outcome) {
    case 'received':
      return void (await stopAsking(deps.db, call))
    case 'refused':
      return transact(deps.db, async (trx) => {
        if (await stopAsking(trx, call))
          await report(
            trx,
            call,
            `the gateway refuses ${subjectOf(call)}, which it had taken charge of: ${answer.code}`,
          )
      })
    case 'unknown':
      return retryIn(deps.db, unconfirmedCallRetries, { id }, { seconds: backOff(call.tries + 1, longestPauseSeconds) })
  }
}

function send({ card }: Deps, call: UnconfirmedCall): Promise<ModificationOutcome> {
  const { original_reference: originalReference, reference, idempotency_key: idempotencyKey } = call
  const same = { originalReference, reference, idempotencyKey }
  switch (call.kind) {
    case 'capture':
      return card.capture({ ...same, amount: call.amount_cents, currency: call.currency })
    case 'refund':
      return card.refund({ ...same, amount: call.amount_cents, currency: call.currency })
    case 'cancel':
      return card.cancel(same)
    case 'technicalCancel':
      return card.technicalCancel(same)
  }
}
