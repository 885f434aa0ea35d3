import { fromDate, realNow } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { computeBackOffSeconds, scheduleRetry } from '#kit/server/retry-queue.ts'
import type { ModificationOutcome } from '#providers/card/card.port.ts'
import { createTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import { describeUnconfirmedRequest } from './unconfirmed-requests.present.ts'
import {
  deleteConfirmedRequest,
  findUnconfirmedRequest,
  isNotificationReceived,
  lockDueRequests,
  scheduleRequestStep,
  stopRepeatingRequest,
  buildTaskSubject,
  getTaskKind,
  type UnconfirmedRequest,
  unconfirmedRequestQueue,
} from './unconfirmed-requests.store.ts'

type UnconfirmedRequestDeps = Pick<OrderDeps, 'db' | 'clock' | 'jobs' | 'card' | 'log' | 'thresholds'>

export async function processDueRequests(deps: UnconfirmedRequestDeps, now: Temporal.Instant): Promise<void> {
  const { notificationTransitMs } = deps.thresholds
  for (let hasMore = true; hasMore;)
    hasMore = await transact(deps.db, async (trx) => {
      const calls = await lockDueRequests(trx, { now, notificationTransitMs })
      for (const call of calls) await processDueRequest(trx, deps, call)
      return calls.length > 0
    })
}

async function processDueRequest(trx: Trx, deps: UnconfirmedRequestDeps, call: UnconfirmedRequest): Promise<void> {
  if (await isNotificationReceived(trx, call)) return deleteConfirmedRequest(trx, call)
  const { unconfirmedHours, askAgainHours } = deps.thresholds
  if (call.step === 'ask' && call.due_at) {
    const dueAt = fromDate(call.due_at).add({ hours: unconfirmedHours - askAgainHours })
    await scheduleRequestStep(trx, call, { step: 'report', dueAt })
  } else {
    await reportUnconfirmedRequest(trx, call, describeUnconfirmedRequest(call))
    await scheduleRequestStep(trx, call, { step: 'report', dueAt: null })
  }
  await deps.jobs.send(trx, unconfirmedRequestQueue, call.id)
}

const reportUnconfirmedRequest = (trx: Trx, call: UnconfirmedRequest, reason: string): Promise<void> =>
  createTask(trx, { kind: getTaskKind(call), orderId: call.order_id, subject: buildTaskSubject(call), reason })

/**
 * How many days a gateway request may be repeated for. The gateway keeps an idempotency key for at least a week and at most a month, after
 * which it would treat a repeated request as a new one.
 */
const maxRepeatDays = 7
const maxRetrySeconds = 3_600

/**
 * Repeats a gateway request with its original idempotency key, so that the gateway does nothing twice. Another acknowledgement proves
 * nothing, because only the notification confirms the outcome. A refusal creates a task immediately.
 */
export async function repeatGatewayRequest(deps: UnconfirmedRequestDeps, id: string): Promise<void> {
  const call = await findUnconfirmedRequest(deps.db, id)
  if (!call?.retry_at) return
  if (realNow().since(fromDate(call.acknowledged_at)).total('hours') > maxRepeatDays * 24)
    return void (await stopRepeatingRequest(deps.db, call))
  const result = await sendGatewayRequest(deps, call)
  deps.log.info(
    { call: buildTaskSubject(call), answer: result.outcome },
    'an unconfirmed request was repeated at the gateway',
  )
  switch (result.outcome) {
    case 'received':
      return void (await stopRepeatingRequest(deps.db, call))
    case 'refused':
      return transact(deps.db, async (trx) => {
        if (await stopRepeatingRequest(trx, call))
          await reportUnconfirmedRequest(
            trx,
            call,
            `the gateway refuses ${buildTaskSubject(call)}, which it had taken charge of: ${result.code}`,
          )
      })
    case 'unknown':
      return scheduleRetry(
        deps.db,
        unconfirmedRequestQueue,
        { id },
        { seconds: computeBackOffSeconds(call.tries + 1, maxRetrySeconds) },
      )
  }
}

function sendGatewayRequest({ card }: UnconfirmedRequestDeps, call: UnconfirmedRequest): Promise<ModificationOutcome> {
  const { original_reference: originalReference, reference, idempotency_key: idempotencyKey } = call
  const commonFields = { originalReference, reference, idempotencyKey }
  switch (call.kind) {
    case 'capture':
      return card.capture({ ...commonFields, amount: call.amount_cents, currency: call.currency })
    case 'refund':
      return card.refund({ ...commonFields, amount: call.amount_cents, currency: call.currency })
    case 'cancel':
      return card.cancel(commonFields)
    case 'technicalCancel':
      return card.technicalCancel(commonFields)
  }
}
