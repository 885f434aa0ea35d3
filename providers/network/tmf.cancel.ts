import * as v from 'valibot'
import type { NetworkMapping } from './mapping.ts'
import type { CancellationOutcome, MobileNetwork } from './network.port.ts'
import {
  toNetworkAnswer,
  parseRejection,
  type ServiceOrder,
  toOrderState,
  createUnknownOutcome,
} from './tmf.response.ts'
import { isSuccess, type TmfClient } from './tmf.client.ts'
import { findOrder } from './tmf.find.ts'
import { readAllPages } from './tmf.list.ts'

const taskSchema = v.object({
  state: v.string(),
  requestedCancellationDate: v.nullish(v.string()),
  serviceOrder: v.nullish(v.object({ id: v.nullish(v.string()) })),
  completionMessage: v.nullish(v.string()),
  errorMessage: v.nullish(
    v.object({
      code: v.nullish(v.union([v.string(), v.number()])),
      reason: v.nullish(v.string()),
      message: v.nullish(v.string()),
    }),
  ),
})
type CancellationTask = v.InferOutput<typeof taskSchema>

type CancellationRequest = Parameters<MobileNetwork['cancel']>[0]

/**
 * Cancels an order using a TMF641 cancellation task. The task does not carry an id of ours, so we recognise our own request by its
 * requested date. The order's own state decides whether it has been cancelled. A task is trusted only if it reports a refusal.
 */
export async function cancelOrder(
  call: TmfClient,
  asking: CancellationRequest,
  mapping: NetworkMapping,
): Promise<CancellationOutcome> {
  const order = await findOrder(call, asking.externalId, mapping)
  if ('outcome' in order) return order
  const tasks = await listCancellationTasks(call, order, mapping)
  if ('outcome' in tasks) return tasks
  const own = tasks.filter(({ requestedCancellationDate: date }) => isSameRequest(asking, date))
  const task = own.find((each) => !getTaskRejection(each)) ?? own.at(-1)
  const rejection = task && getTaskRejection(task)
  const answer = toNetworkAnswer(order, mapping)
  if (answer.outcome === 'unknown') return answer
  if (answer.state !== 'running')
    return toOrderState(order, mapping) === 'cancelled' && task && !rejection ? { outcome: 'cancelled' } : answer
  if (!task || (rejection && mapping.errors.retryable.includes(rejection.code)))
    return placeCancellationTask(call, order, { asking, mapping })
  return rejection ?? { outcome: 'undecided' }
}

async function listCancellationTasks(
  call: TmfClient,
  { id }: ServiceOrder,
  { filters, paging }: NetworkMapping,
): Promise<CancellationTask[] | { outcome: 'unknown'; why: string }> {
  const query = new URLSearchParams({ [filters.cancelledOrder]: id })
  const answer = await readAllPages((page) => call(`/cancelServiceOrder?${query}&${page}`), taskSchema, paging)
  if ('why' in answer) return createUnknownOutcome(answer.why)
  return answer.items.filter(({ serviceOrder }) => serviceOrder?.id === id)
}

async function placeCancellationTask(
  call: TmfClient,
  { id }: ServiceOrder,
  { asking, mapping }: { asking: CancellationRequest; mapping: NetworkMapping },
): Promise<CancellationOutcome> {
  const answer = await call('/cancelServiceOrder', {
    cancellationReason: 'Requested by the customer',
    requestedCancellationDate: asking.askedAt,
    serviceOrder: { id, '@referredType': 'ServiceOrder' },
  })
  if ('why' in answer) return createUnknownOutcome(answer.why)
  const { status, body } = answer
  if (isSuccess(status))
    return v.is(taskSchema, body)
      ? { outcome: 'undecided' }
      : createUnknownOutcome(`HTTP ${status} without a cancellation task`)
  const refusal = parseRejection(status, body, mapping)
  if (!refusal) return createUnknownOutcome(`HTTP ${status}`)
  /*
   * A concurrent request may have cancelled the order since the check above. If so, the next check will find the cancellation in the
   * order's state.
   */
  const now = await findOrder(call, asking.externalId, mapping)
  if ('outcome' in now) return now
  if (toOrderState(now, mapping) !== 'running') return { outcome: 'undecided' }
  return { outcome: 'refused', code: refusal.code, message: refusal.message }
}

/** Whether a cancellation task belongs to this request. Networks may omit the requested date or its milliseconds. */
function isSameRequest({ askedAt }: CancellationRequest, date: string | null | undefined): boolean {
  if (date === null || date === undefined) return true
  const [asked, echoed] = [Date.parse(askedAt), Date.parse(date)]
  return echoed === asked || echoed === Math.floor(asked / 1_000) * 1_000
}

function getTaskRejection({
  state,
  errorMessage,
  completionMessage,
}: CancellationTask): (CancellationOutcome & { outcome: 'refused' }) | null {
  if (state !== 'terminatedWithError' && state !== 'rejected') return null
  const message =
    errorMessage?.message ?? errorMessage?.reason ?? completionMessage ?? 'The network refused the cancellation.'
  return { outcome: 'refused', code: String(errorMessage?.code ?? state), message }
}
