import * as v from 'valibot'
import { operationNames } from './order-request.ts'
import type { Operation } from './order-request.ts'
import { networkBusyFault } from './orders.ts'
import type { OrderFault } from './state.ts'

const requestFailures = [
  /** The request is carried out, but the connection is dropped before the response. */
  'lost_answer',
  /** The request is not carried out, and the response is HTTP 500. */
  'error_500',
  /** The request is carried out, but the response is late. */
  'slow',
  /** The request is not carried out, and there is no response. */
  'timeout',
  'names_other_sim',
  'names_other_number',
  'says_failed',
  'says_unheard_of',
] as const
const orderFailures = ['fail_retryable', 'fail_permanent'] as const

const nonOrderRequests = ['read', 'amend', 'balance', 'usage', 'inventory'] as const
type NonOrderRequest = (typeof nonOrderRequests)[number]
type Call = Operation | NonOrderRequest | 'cancel'

export type RequestFailure = (typeof requestFailures)[number]
type FailureKind = RequestFailure | (typeof orderFailures)[number]

/**
 * A failure to inject into the next request for an operation. `any` is an order of any kind. `cancel` is a cancellation; a failed order
 * means that the network declines it. `read` is a GET of orders, and `amend` a PATCH of an order. `balance`, `usage` and `inventory` are a
 * GET of balances, of usage, and of the list of SIMs and numbers.
 */
export const failureSchema = v.pipe(
  v.object({
    operation: v.picklist([...operationNames, 'any', 'cancel', ...nonOrderRequests]),
    kind: v.picklist([...requestFailures, ...orderFailures]),
    times: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 1),
  }),
  v.check(
    ({ operation, kind }) => !isNonOrderRequest(operation) || isRequestFailure(kind),
    'a read cannot end as an order does',
  ),
)
export type Failure = v.InferInput<typeof failureSchema>

const permanentFault: OrderFault = { code: 'PROVISIONING_REFUSED', reason: 'The network cannot carry out this order.' }

export function createFailures() {
  const queue: { operation: Failure['operation']; kind: FailureKind; times: number }[] = []

  function take<K extends FailureKind>(operation: Call, is: (kind: FailureKind) => kind is K): K | null {
    const matchesOperation = (asked: Failure['operation']) =>
      asked === operation || (asked === 'any' && isOrderOperation(operation))
    const index = queue.findIndex((failure) => matchesOperation(failure.operation) && is(failure.kind))
    const found = queue[index]
    if (!found) return null
    found.times -= 1
    if (found.times === 0) queue.splice(index, 1)
    return found.kind as K
  }

  return {
    add: ({ operation, kind, times = 1 }: Failure) => void queue.push({ operation, kind, times }),
    pending: () => queue.map((failure) => ({ ...failure })),
    clear: () => void queue.splice(0),
    takeForCall: (operation: Call) => take(operation, isRequestFailure),
    takeForOrder(operation: Operation | 'cancel'): OrderFault | null {
      const kind = take(operation, isOrderFailure)
      if (kind === null) return null
      return kind === 'fail_retryable' ? networkBusyFault : permanentFault
    },
  }
}

export type Failures = ReturnType<typeof createFailures>

function isRequestFailure(kind: FailureKind): kind is RequestFailure {
  return !isOrderFailure(kind)
}

function isNonOrderRequest(operation: string): operation is NonOrderRequest {
  return nonOrderRequests.some((call) => call === operation)
}

function isOrderOperation(operation: string): boolean {
  return operationNames.some((name) => name === operation)
}

function isOrderFailure(kind: FailureKind): kind is (typeof orderFailures)[number] {
  return kind === 'fail_retryable' || kind === 'fail_permanent'
}
