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

// What other features place and call off orders with.
export { type Payment, placeOrder, placeOrders, type Purchase, totalOf } from './place.ts'
export { unqueuePlan } from './unqueue-plan.ts'

/**
 * How a form says that it pays, in whose visit, or the sentence that says why that does not do. `store`: to keep a new card; `db`:
 * the caller's transaction, where it has one.
 */
export async function cardPaymentOf(
  deps: OrderDeps,
  visit: Visit,
  answers: SourceAnswers,
  how: { store: boolean; db?: Trx },
): Promise<{ payment: Payment } | { refusal: string }> {
  const found = await cardSourceFrom(deps, visit, answers, how)
  return 'refusal' in found ? found : { payment: { ...found.cardSource, payer: payerOf(deps.secrets, visit) } }
}

/** An order, and whether it has come as far as its form waits for: to its payment, or until the network has it. */
export type OrderProgress = { order: Order; outcome: 'done' | 'unknown' }

/**
 * Asks the gateway about an order's payment while it is open, and waits as long as its form does. For the press that has made the
 * order and for each look at it later: the gateway is asked with the same key, which never charges twice. `isFirst`: the caller has
 * made the order just now.
 * @throws 400 with the sentence, when nothing was kept of it
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

/** The gateway's word, or the order as it is when that is late: it is written down whenever it comes, and the page asks again. */
function resolveUntil(end: number, deps: OrderDeps, order: Order, how: { isFirst?: boolean }): Promise<Order> {
  const { promise, resolve, reject } = Promise.withResolvers<Order>()
  const timer = setTimeout(() => resolve(order), end - performance.now())
  resolvePayment(deps, order, how).then(resolve, (error: unknown) => {
    // Where nobody waits any more the worker asks again, as when a process has died.
    if (performance.now() >= end && !deps.isAway(error))
      deps.log.warn({ order: order.order_code }, 'a payment could not be asked about')
    reject(error)
  })
  return promise.finally(() => clearTimeout(timer))
}

/**
 * Waits for an order as `resolveAndAwaitOrder` does, without asking the gateway: the call that made the order does.
 * @throws 400 as it does
 */
export const awaitOrder = (deps: OrderDeps, order: Order): Promise<OrderProgress> =>
  waitFor(deps, order, callCameAt() + longestWaitMs)

/** What this customer has got by an order; null while it may still come to nothing, as for another's. */
export async function findBought({ db }: OrderDeps, userId: string, orderCode: string): Promise<DeliveredOrder | null> {
  const order = await findOwnOrder(db, orderCode, { sessionId: null, userId })
  if (!order?.service_id || !order.user_id || !isDelivered(order.state) || cameTooLate(order)) return null
  return { ...order, service_id: order.service_id, user_id: order.user_id }
}

/** Payments that are begun for a customer, whoever begins them. */
export const accountPurchases = (userId: string): Limit => ({
  key: `purchase:account:${userId}`,
  times: 20,
  seconds: 3_600,
})

/** Payments that a customer begins, by their account, and by their address, which may be a whole carrier's. */
export const purchaseLimits = (userId: string, visit: Visit): Limit[] => [
  accountPurchases(userId),
  { key: `purchase:address:${visit.clientIp}`, times: 2_000, seconds: 3_600 },
]

/** Presses of the button, most of which come to nothing: a customer who waits for an outcome may ask again and again. */
export const pressLimits = (visit: Visit): Limit[] => [
  { key: `purchase:asked:account:${visit.user?.id ?? visit.clientIp}`, times: 120, seconds: 3_600 },
  { key: `purchase:asked:address:${visit.clientIp}`, times: 6_000, seconds: 3_600 },
]

/** Questions how a payment has ended. Each that is still open is asked about at the gateway. */
export const resumeLimits = ({ clientIp, session }: Visit): Limit[] => [
  { key: `resume:address:${clientIp}`, times: 6_000, seconds: 3_600 },
  { key: `resume:session:${session.token}`, times: 300, seconds: 3_600 },
]

/** How long a customer's call waits for its outcome from when it came, and how often we look, in milliseconds. */
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
    // A payment in doubt takes longer than anybody wants to look at a form; the page knows how to ask again.
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

/** Whoever pays with a saved card is its owner, and may know a little more. */
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

/** Whether the network has said that it has the order to activate the SIM, which is written down before it is asked. */
export async function networkHasSim(db: Db, { id }: Pick<Order, 'id'>): Promise<boolean> {
  const asked = (await operationsOf(db, id)).filter(({ kind }) => kind === 'activate_sim')
  return asked.every(({ acknowledged_at }) => acknowledged_at !== null)
}

/**
 * Runs an order on that the network failed: the same order and payment, a new operation where the last one ended. Null when
 * it is not waiting any more.
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

/** Gives up an order that waits for its customer: all of it is taken back. False when it is not waiting any more. */
export async function cancelHeldOrder(trx: Trx, deps: OrderDeps, order: Order): Promise<boolean> {
  const moved = await moveOrder(trx, order, 'fail')
  if (moved) await deps.jobs.send(trx, orderRetries, order.id)
  return moved !== null
}
