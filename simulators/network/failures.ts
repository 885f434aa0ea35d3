import * as v from 'valibot'
import { operationNames } from './order-request.ts'
import type { Operation } from './order-request.ts'
import { networkBusy } from './orders.ts'
import type { OrderFault } from './state.ts'

/** What happens to the call itself. */
const callFailures = [
  /** Done, and the connection cut before the answer. */
  'lost_answer',
  /** Not done, HTTP 500. */
  'error_500',
  /** Done, and answered late. */
  'slow',
  /** Not done, and never answered. */
  'timeout',
  /** Done, and the answer names another SIM. */
  'names_other_sim',
  /** Done, and the answer names another number. */
  'names_other_number',
  /** Done, and the answer says that it failed. */
  'says_failed',
  /** Done, and the answer has a state that nobody has heard of. */
  'says_unheard_of',
] as const
/** How an order ends that was taken like any other. */
const orderFailures = ['fail_retryable', 'fail_permanent'] as const

/** Calls that make no order. */
const orderless = ['read', 'amend', 'balance', 'usage', 'inventory'] as const
type Orderless = (typeof orderless)[number]
type Call = Operation | Orderless | 'cancel'

export type CallFailure = (typeof callFailures)[number]
type FailureKind = CallFailure | (typeof orderFailures)[number]

/**
 * `any` is the next order of any kind; `cancel` is the next try to call one off, whose failure of an order means that it goes on;
 * `read` is the next GET of orders, `amend` the next PATCH of one, `balance` of balances, `usage` of usage,
 * `inventory` of the list of SIMs and numbers.
 */
export const failureSchema = v.pipe(
  v.object({
    operation: v.picklist([...operationNames, 'any', 'cancel', ...orderless]),
    kind: v.picklist([...callFailures, ...orderFailures]),
    times: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 1),
  }),
  v.check(
    ({ operation, kind }) => !isOrderless(operation) || isCallFailure(kind),
    'a read cannot end as an order does',
  ),
)
export type Failure = v.InferInput<typeof failureSchema>

const permanent: OrderFault = { code: 'PROVISIONING_REFUSED', reason: 'The network cannot carry out this order.' }

/** Failures that were asked for, oldest first. They are kept in memory: a restart forgets them. */
export function createFailures() {
  const queue: { operation: Failure['operation']; kind: FailureKind; times: number }[] = []

  function take<K extends FailureKind>(operation: Call, is: (kind: FailureKind) => kind is K): K | null {
    const fits = (asked: Failure['operation']) => asked === operation || (asked === 'any' && isOrder(operation))
    const index = queue.findIndex((failure) => fits(failure.operation) && is(failure.kind))
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
    /** Uses up one failure of the call, if one is due. */
    takeForCall: (operation: Call) => take(operation, isCallFailure),
    /** Uses up one failure of a new order, if one is due. */
    takeForOrder(operation: Operation | 'cancel'): OrderFault | null {
      const kind = take(operation, isOrderFailure)
      if (kind === null) return null
      return kind === 'fail_retryable' ? networkBusy : permanent
    },
  }
}

export type Failures = ReturnType<typeof createFailures>

function isCallFailure(kind: FailureKind): kind is CallFailure {
  return !isOrderFailure(kind)
}

function isOrderless(operation: string): operation is Orderless {
  return orderless.some((call) => call === operation)
}

function isOrder(operation: string): boolean {
  return operationNames.some((name) => name === operation)
}

function isOrderFailure(kind: FailureKind): kind is (typeof orderFailures)[number] {
  return kind === 'fail_retryable' || kind === 'fail_permanent'
}
