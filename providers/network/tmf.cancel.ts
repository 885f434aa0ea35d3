import * as v from 'valibot'
import type { NetworkMapping } from './mapping.ts'
import type { CancelAnswer, MobileNetwork } from './network.port.ts'
import { orderedAnswer, refusalOf, type ServiceOrder, stateOf, unknown } from './tmf.answer.ts'
import { isSuccess, type TmfCall } from './tmf.call.ts'
import { findOrder } from './tmf.find.ts'
import { readAll } from './tmf.list.ts'

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
type Task = v.InferOutput<typeof taskSchema>

type Asking = Parameters<MobileNetwork['cancel']>[0]

/**
 * Cancels an order with a TMF641 cancellation task. A task has no id of ours, so the requested date identifies our own request.
 * The order's own state decides whether the order is cancelled. A task is trusted only when it reports a refusal.
 */
export async function cancelOrder(call: TmfCall, asking: Asking, mapping: NetworkMapping): Promise<CancelAnswer> {
  const order = await findOrder(call, asking.externalId, mapping)
  if ('outcome' in order) return order
  const tasks = await listTasks(call, order, mapping)
  if ('outcome' in tasks) return tasks
  const own = tasks.filter(({ requestedCancellationDate: date }) => isOf(asking, date))
  const task = own.find((each) => !refusalOfTask(each)) ?? own.at(-1)
  const refusal = task && refusalOfTask(task)
  const answer = orderedAnswer(order, mapping)
  if (answer.outcome === 'unknown') return answer
  if (answer.state !== 'running')
    return stateOf(order, mapping) === 'cancelled' && task && !refusal ? { outcome: 'cancelled' } : answer
  if (!task || (refusal && mapping.errors.retryable.includes(refusal.code)))
    return placeTask(call, order, { asking, mapping })
  return refusal ?? { outcome: 'undecided' }
}

async function listTasks(
  call: TmfCall,
  { id }: ServiceOrder,
  { filters, paging }: NetworkMapping,
): Promise<Task[] | { outcome: 'unknown'; why: string }> {
  const query = new URLSearchParams({ [filters.cancelledOrder]: id })
  const answer = await readAll((page) => call(`/cancelServiceOrder?${query}&${page}`), taskSchema, paging)
  if ('why' in answer) return unknown(answer.why)
  return answer.items.filter(({ serviceOrder }) => serviceOrder?.id === id)
}

async function placeTask(
  call: TmfCall,
  { id }: ServiceOrder,
  { asking, mapping }: { asking: Asking; mapping: NetworkMapping },
): Promise<CancelAnswer> {
  const answer = await call('/cancelServiceOrder', {
    cancellationReason: 'Requested by the customer',
    requestedCancellationDate: asking.askedAt,
    serviceOrder: { id, '@referredType': 'ServiceOrder' },
  })
  if ('why' in answer) return unknown(answer.why)
  const { status, body } = answer
  if (isSuccess(status))
    return v.is(taskSchema, body) ? { outcome: 'undecided' } : unknown(`HTTP ${status} without a task`)
  const refusal = refusalOf(status, body, mapping)
  if (!refusal) return unknown(`HTTP ${status}`)
  // A concurrent call may have had the order cancelled since the check above. The order's state then shows the cancellation at the next
  // check.
  const now = await findOrder(call, asking.externalId, mapping)
  if ('outcome' in now) return now
  if (stateOf(now, mapping) !== 'running') return { outcome: 'undecided' }
  return { outcome: 'refused', code: refusal.code, message: refusal.message }
}

/** Networks may leave out the date, or its milliseconds. */
function isOf({ askedAt }: Asking, date: string | null | undefined): boolean {
  if (date === null || date === undefined) return true
  const [asked, echoed] = [Date.parse(askedAt), Date.parse(date)]
  return echoed === asked || echoed === Math.floor(asked / 1_000) * 1_000
}

function refusalOfTask({
  state,
  errorMessage,
  completionMessage,
}: Task): (CancelAnswer & { outcome: 'refused' }) | null {
  if (state !== 'terminatedWithError' && state !== 'rejected') return null
  const message = errorMessage?.message ?? errorMessage?.reason ?? completionMessage ?? 'The network said no.'
  return { outcome: 'refused', code: String(errorMessage?.code ?? state), message }
}
