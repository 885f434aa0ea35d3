import { setTimeout as pause } from 'node:timers/promises'
import { formMessages } from '#kit/contract/errors.ts'
import { getRequestArrivalTime } from '#kit/server/response-timeout.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import type { Limit } from '#kit/server/limits.ts'
import { formError } from '#kit/server/http-error.ts'
import type { RequestContext } from '#kit/server/request-context.ts'
import { toPayer } from '#features/refused-payments/server/refused-payments.ts'
import { isReplacementTooLate, isDelivered, isPaymentOpen, wasDelivered } from '../orders.states.ts'
import type { PaymentSourceFields } from '../card-payment.contract.ts'
import { orderFailureMessages, orderMessages } from '../orders.contract.ts'
import { parseDeclineReason } from './declines.present.ts'
import { initiateNextOperation } from './initiate-next-operation.ts'
import { listOrderOperations } from './operations.store.ts'
import { orderTypes } from './order-types.ts'
import type { OrderDeps } from './orders.deps.ts'
import type { DeliveredOrder } from './order-type.ts'
import { findOrder, findOwnOrder, transitionOrder, type Order, orderQueue } from './orders.store.ts'
import { resolveCardSource } from './payment-source.ts'
import { internalFaultCode, findLatestAttempt } from './payments.store.ts'
import { cardTypeNotAcceptedCode, resolvePayment } from './payments.ts'
import type { Payment } from './place-orders.ts'
import { planBeganMessage } from './delivery-checks.ts'

export { type Payment, placeOrder, placeOrders, type Purchase, computeOrderTotal as totalOf } from './place-orders.ts'
export { dequeueCancelledPlan } from './dequeue-cancelled-plan.ts'

export async function resolveCardPaymentSource(
  deps: OrderDeps,
  visit: RequestContext,
  answers: PaymentSourceFields,
  options: { store: boolean; db?: Trx },
): Promise<{ payment: Payment } | { refusal: string }> {
  const resolvedSource = await resolveCardSource(deps, visit, answers, options)
  return 'refusal' in resolvedSource
    ? resolvedSource
    : { payment: { ...resolvedSource.cardSource, payer: toPayer(deps.secrets, visit) } }
}

export type OrderProgress = { order: Order; outcome: 'done' | 'unknown' }

/**
 * If an order's payment is still open, resolves it at the gateway, and then waits until the order reaches the state that the customer's
 * page waits for. Called by the request that creates the order and by every later poll. The idempotency key prevents a second charge.
 * `isFirst` means that the caller has just created the order.
 * @throws 400 with a message when the order failed; anything that was charged is refunded
 */
export async function payAndAwaitOrder(
  deps: OrderDeps,
  order: Order,
  options: { isFirst?: boolean } = {},
): Promise<OrderProgress> {
  const deadline = getRequestArrivalTime() + maxWaitMs
  const resolvedOrder = isPaymentOpen(order.state)
    ? await resolvePaymentByDeadline(deadline, deps, order, options)
    : order
  return pollOrder(deps, resolvedOrder, deadline)
}

/**
 * Resolves the payment, but returns the unchanged order once the deadline has passed. A late outcome is still recorded, and
 * the page polls again.
 */
function resolvePaymentByDeadline(
  deadline: number,
  deps: OrderDeps,
  order: Order,
  options: { isFirst?: boolean },
): Promise<Order> {
  const { promise, resolve, reject } = Promise.withResolvers<Order>()
  const timer = setTimeout(() => resolve(order), deadline - performance.now())
  resolvePayment(deps, order, options).then(resolve, (error: unknown) => {
    // After the deadline, nobody is waiting for this promise. A worker will resolve the payment, as it would after a crash.
    if (performance.now() >= deadline && !deps.noteOutage(error))
      deps.log.warn({ order: order.order_code }, 'the gateway could not be asked for the outcome of a payment')
    reject(error)
  })
  return promise.finally(() => clearTimeout(timer))
}

/**
 * Waits for an order like `payAndAwaitOrder` does, but without contacting the gateway, because the request that created the order does
 * that.
 * @throws 400 as `payAndAwaitOrder` does
 */
export const awaitOrder = (deps: OrderDeps, order: Order): Promise<OrderProgress> =>
  pollOrder(deps, order, getRequestArrivalTime() + maxWaitMs)

/**
 * Finds one of this customer's delivered orders. Returns `null` for another customer's order, for an order that may still
 * fail, and for a cancelled order.
 */
export async function findDeliveredOrder(
  { db }: OrderDeps,
  userId: string,
  orderCode: string,
): Promise<DeliveredOrder | null> {
  const order = await findOwnOrder(db, orderCode, { sessionId: null, userId })
  if (!order?.service_id || !order.user_id || !isDelivered(order.state) || isReplacementTooLate(order)) return null
  return { ...order, service_id: order.service_id, user_id: order.user_id }
}

export const accountPurchaseLimit = (userId: string): Limit => ({
  key: `purchase:account:${userId}`,
  times: 20,
  seconds: 3_600,
})

/** Purchase limits. The limit per IP address is high, because many of a carrier's customers may share one address. */
export const purchaseLimits = (userId: string, visit: RequestContext): Limit[] => [
  accountPurchaseLimit(userId),
  { key: `purchase:address:${visit.clientIp}`, times: 2_000, seconds: 3_600 },
]

/** Limits on requests from the pay button. They are high, because most of these requests only poll for a payment's outcome. */
export const paymentRequestLimits = (visit: RequestContext): Limit[] => [
  { key: `purchase:asked:account:${visit.user?.id ?? visit.clientIp}`, times: 120, seconds: 3_600 },
  { key: `purchase:asked:address:${visit.clientIp}`, times: 6_000, seconds: 3_600 },
]

export const resumeLimits = ({ clientIp, session }: RequestContext): Limit[] => [
  { key: `resume:address:${clientIp}`, times: 6_000, seconds: 3_600 },
  { key: `resume:session:${session.token}`, times: 300, seconds: 3_600 },
]

const maxWaitMs = 10_000
const pollIntervalMs = 150

async function pollOrder(deps: OrderDeps, order: Order, deadline: number): Promise<OrderProgress> {
  const { formWaitsUntil } = orderTypes[order.kind]
  for (let latestOrder = order; ; latestOrder = (await findOrder(deps.db, order.id)) ?? latestOrder) {
    if (latestOrder.state === 'refused') throw formError(await refusalMessage(deps, latestOrder))
    if (isReplacementTooLate(latestOrder)) throw formError(planBeganMessage)
    if (formWaitsUntil === 'accepted')
      return { order: latestOrder, outcome: isPaymentOpen(latestOrder.state) ? 'unknown' : 'done' }
    if (wasDelivered(latestOrder.state)) return { order: latestOrder, outcome: 'done' }
    if (latestOrder.state === 'undone') throw formError(reversedOrderMessage(latestOrder))
    // Do not wait for a payment with an unknown outcome, because that takes too long. The page polls again later.
    if (latestOrder.state === 'payment_unknown' || performance.now() >= deadline)
      return { order: latestOrder, outcome: 'unknown' }
    await pause(pollIntervalMs)
  }
}

function reversedOrderMessage({ kind, failure_code: failure }: Order): string {
  if (failure?.startsWith('capture ')) return orderFailureMessages.notConfirmed
  return orderTypes[kind].undone
}

async function refusalMessage(deps: OrderDeps, order: Order): Promise<string> {
  switch (order.failure_code) {
    case 'card_unreadable':
      return orderMessages.cardUnreadable
    case 'payment_not_confirmed':
      return orderFailureMessages.notConfirmed
    case internalFaultCode:
      return formMessages.server
    case cardTypeNotAcceptedCode:
      return orderFailureMessages.cardType(deps.cardTypes)
    default:
      return order.paid_with === 'saved_card' ? savedCardRefusalMessage(deps, order) : orderFailureMessages.refused
  }
}

/** Why a saved card was refused. We can disclose this, because only the card's owner can pay with it. */
async function savedCardRefusalMessage({ db }: OrderDeps, { id }: Order): Promise<string> {
  switch (parseDeclineReason((await findLatestAttempt(db, id))?.refusal ?? null)) {
    case 'expired':
      return orderFailureMessages.savedCardExpired
    case 'no-funds':
      return orderFailureMessages.savedCardWithoutFunds
    case null:
      return orderFailureMessages.refused
  }
}

/** Whether the network has acknowledged the SIM activation. The operation exists even before its request has been sent. */
export async function isSimActivationAcknowledged(db: Db, { id }: Pick<Order, 'id'>): Promise<boolean> {
  const activations = (await listOrderOperations(db, id)).filter(({ kind }) => kind === 'activate_sim')
  return activations.every(({ acknowledged_at }) => acknowledged_at !== null)
}

/**
 * Resumes an order that is held after a network failure. The order and payment stay the same, and the failed step gets a
 * new operation. Returns `null` if the order is no longer held.
 */
export function retryOrder(deps: OrderDeps, order: Order): Promise<Order | null> {
  return transact(deps.db, async (trx) => {
    const isSimActive = (await listOrderOperations(trx, order.id)).some(
      (operation) => operation.kind === 'activate_sim' && operation.state === 'completed',
    )
    const moved = await initiateNextOperation(trx, order, isSimActive ? 'retry_plan' : 'retry_sim', {
      failure_code: null,
    })
    if (moved) await deps.jobs.send(trx, orderQueue, order.id)
    return moved
  })
}

export async function cancelHeldOrder(trx: Trx, deps: OrderDeps, order: Order): Promise<boolean> {
  const moved = await transitionOrder(trx, order, 'fail')
  if (moved) await deps.jobs.send(trx, orderQueue, order.id)
  return moved !== null
}
