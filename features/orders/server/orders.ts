import { setTimeout as pause } from 'node:timers/promises'
import { formMessages } from '#kit/contract/errors.ts'
import { callCameAt } from '#kit/server/answer-time.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import type { Limit } from '#kit/server/limits.ts'
import { invalidForm } from '#kit/server/refusal.ts'
import type { Visit } from '#kit/server/visit.ts'
import { payerOf } from '#features/refused-payments/server/refused-payments.ts'
import { cameTooLate, isDelivered, isPaymentOpen, wasDelivered } from '../orders.states.ts'
import type { SourceAnswers } from '../card-payment.contract.ts'
import { orderMessages } from '../orders.contract.ts'
import { declineOf } from './declines.present.ts'
import { moveAndInitiate } from './initiate.ts'
import { operationsOf } from './operations.store.ts'
import { kinds } from './kinds.ts'
import type { OrderDeps } from './orders.deps.ts'
import type { DeliveredOrder } from './kind.ts'
import { findOrder, findOwnOrder, moveOrder, type Order, orderRetries } from './orders.store.ts'
import { cardSourceFrom } from './payment-source.ts'
import { faultOfOurs, latestAttempt } from './payments.store.ts'
import { cardTypeNotTaken, resolvePayment } from './payments.ts'
import type { Payment } from './place.ts'
import { planBeganMessage } from './too-late.ts'

export { type Payment, placeOrder, placeOrders, type Purchase, totalOf } from './place.ts'
export { unqueuePlan } from './unqueue-plan.ts'

export async function cardPaymentOf(
  deps: OrderDeps,
  visit: Visit,
  answers: SourceAnswers,
  how: { store: boolean; db?: Trx },
): Promise<{ payment: Payment } | { refusal: string }> {
  const found = await cardSourceFrom(deps, visit, answers, how)
  return 'refusal' in found ? found : { payment: { ...found.cardSource, payer: payerOf(deps.secrets, visit) } }
}

export type OrderProgress = { order: Order; outcome: 'done' | 'unknown' }

/**
 * Resolves the order's payment at the gateway while it is open, and waits as long as the form of this kind of order
 * does. The request that creates the order and every later poll call this. The idempotency key prevents a second
 * charge. `isFirst`: the caller has just created the order.
 * @throws 400 with a message when the order failed and no money was kept
 */
export async function resolveAndAwaitOrder(
  deps: OrderDeps,
  order: Order,
  how: { isFirst?: boolean } = {},
): Promise<OrderProgress> {
  const end = callCameAt() + longestWaitMs
  const asked = isPaymentOpen(order.state) ? await resolveUntil(end, deps, order, how) : order
  return waitFor(deps, asked, end)
}

/**
 * Resolves the payment, but returns the order unchanged at the deadline. A late outcome is still recorded, and the page
 * polls again.
 */
function resolveUntil(end: number, deps: OrderDeps, order: Order, how: { isFirst?: boolean }): Promise<Order> {
  const { promise, resolve, reject } = Promise.withResolvers<Order>()
  const timer = setTimeout(() => resolve(order), end - performance.now())
  resolvePayment(deps, order, how).then(resolve, (error: unknown) => {
    // After the deadline the worker resolves the payment, as it does after a crash.
    if (performance.now() >= end && !deps.isAway(error))
      deps.log.warn({ order: order.order_code }, 'a payment could not be asked about')
    reject(error)
  })
  return promise.finally(() => clearTimeout(timer))
}

/**
 * Waits for an order like `resolveAndAwaitOrder`, but leaves the gateway to the request that created the order.
 * @throws 400 as `resolveAndAwaitOrder` does
 */
export const awaitOrder = (deps: OrderDeps, order: Order): Promise<OrderProgress> =>
  waitFor(deps, order, callCameAt() + longestWaitMs)

/** The delivered order of this customer; `null` for another's order, and while it may still fail or once it is cancelled. */
export async function findBought({ db }: OrderDeps, userId: string, orderCode: string): Promise<DeliveredOrder | null> {
  const order = await findOwnOrder(db, orderCode, { sessionId: null, userId })
  if (!order?.service_id || !order.user_id || !isDelivered(order.state) || cameTooLate(order)) return null
  return { ...order, service_id: order.service_id, user_id: order.user_id }
}

export const accountPurchases = (userId: string): Limit => ({
  key: `purchase:account:${userId}`,
  times: 20,
  seconds: 3_600,
})

/** A whole carrier may share one IP address. */
export const purchaseLimits = (userId: string, visit: Visit): Limit[] => [
  accountPurchases(userId),
  { key: `purchase:address:${visit.clientIp}`, times: 2_000, seconds: 3_600 },
]

/**
 * Limits requests from the pay button. Most of them start no payment, because a customer may poll for an outcome
 * repeatedly.
 */
export const pressLimits = (visit: Visit): Limit[] => [
  { key: `purchase:asked:account:${visit.user?.id ?? visit.clientIp}`, times: 120, seconds: 3_600 },
  { key: `purchase:asked:address:${visit.clientIp}`, times: 6_000, seconds: 3_600 },
]

export const resumeLimits = ({ clientIp, session }: Visit): Limit[] => [
  { key: `resume:address:${clientIp}`, times: 6_000, seconds: 3_600 },
  { key: `resume:session:${session.token}`, times: 300, seconds: 3_600 },
]

const longestWaitMs = 10_000
const pollEveryMs = 150

async function waitFor(deps: OrderDeps, order: Order, end: number): Promise<OrderProgress> {
  const { waitsUntil } = kinds[order.kind]
  for (let now = order; ; now = (await findOrder(deps.db, order.id)) ?? now) {
    if (now.state === 'refused') throw invalidForm(await refusalSentence(deps, now))
    if (cameTooLate(now)) throw invalidForm(planBeganMessage)
    if (waitsUntil === 'accepted') return { order: now, outcome: isPaymentOpen(now.state) ? 'unknown' : 'done' }
    if (wasDelivered(now.state)) return { order: now, outcome: 'done' }
    if (now.state === 'undone') throw invalidForm(undoneSentence(now))
    // A payment in doubt takes too long for a form to wait. The page polls again later.
    if (now.state === 'payment_unknown' || performance.now() >= end) return { order: now, outcome: 'unknown' }
    await pause(pollEveryMs)
  }
}

function undoneSentence({ kind, failure_code: failure }: Order): string {
  if (failure?.startsWith('capture ')) return orderMessages.notConfirmed
  return kinds[kind].undone
}

async function refusalSentence(deps: OrderDeps, order: Order): Promise<string> {
  switch (order.failure_code) {
    case 'card_unreadable':
      return orderMessages.cardUnreadable
    case 'payment_not_confirmed':
      return orderMessages.notConfirmed
    case faultOfOurs:
      return formMessages.server
    case cardTypeNotTaken:
      return orderMessages.cardType(deps.cardTypes)
    default:
      return order.paid_with === 'saved_card' ? savedCardSentence(deps, order) : orderMessages.refused
  }
}

/** A customer who pays with a saved card owns it, so the reason of the refusal may be disclosed. */
async function savedCardSentence({ db }: OrderDeps, { id }: Order): Promise<string> {
  switch (declineOf((await latestAttempt(db, id))?.refusal ?? null)) {
    case 'expired':
      return orderMessages.savedCardExpired
    case 'no-funds':
      return orderMessages.savedCardWithoutFunds
    case null:
      return orderMessages.refused
  }
}

/** Whether the network has acknowledged the activation of the SIM. The operation is recorded before it is sent. */
export async function networkHasSim(db: Db, { id }: Pick<Order, 'id'>): Promise<boolean> {
  const asked = (await operationsOf(db, id)).filter(({ kind }) => kind === 'activate_sim')
  return asked.every(({ acknowledged_at }) => acknowledged_at !== null)
}

/**
 * Resumes an order that the network had failed: the same order and payment, with a new operation for the step that
 * failed. `null` when the order is no longer held.
 */
export function retryOrder(deps: OrderDeps, order: Order): Promise<Order | null> {
  return transact(deps.db, async (trx) => {
    const active = (await operationsOf(trx, order.id)).some(
      (operation) => operation.kind === 'activate_sim' && operation.state === 'completed',
    )
    const moved = await moveAndInitiate(trx, order, active ? 'retry_plan' : 'retry_sim', { failure_code: null })
    if (moved) await deps.jobs.send(trx, orderRetries, order.id)
    return moved
  })
}

export async function cancelHeldOrder(trx: Trx, deps: OrderDeps, order: Order): Promise<boolean> {
  const moved = await moveOrder(trx, order, 'fail')
  if (moved) await deps.jobs.send(trx, orderRetries, order.id)
  return moved !== null
}
