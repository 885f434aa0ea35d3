import { toDate } from '#kit/server/clock.ts'
import { retryNow } from '#kit/server/retries.ts'
import { disputesOf, unknownReferences } from '#features/disputes/server/disputes.store.ts'
import { disputeEvents } from '#features/disputes/server/disputes.ts'
import { listDocumentsOf } from '#features/invoices/server/invoices.store.ts'
import {
  endTasksAbout,
  ordersOfTasks,
  reportToOperator,
  setTasks,
} from '#features/operator-tasks/server/operator-tasks.store.ts'
import { isOver } from '#features/orders/orders.states.ts'
import { listOrdersSince } from '#features/orders/server/orders-since.store.ts'
import { findOrder, type Order, orderRetries } from '#features/orders/server/orders.store.ts'
import { operationsOf } from '#features/orders/server/operations.store.ts'
import { attemptsOf, listNotifiedSince } from '#features/orders/server/payments.store.ts'
import { resolveRefund } from '#features/refunds/server/refunds.ts'
import { listOpenRefunds, refundsOf } from '#features/refunds/server/refunds.store.ts'
import { faultsOfBooks } from './order-books.ts'
import { compareCapture, compareOperation } from './providers-books.ts'
import type { ReconciliationDeps } from './reconciliation.deps.ts'

export type Reconciled =
  | { finding: string; order_code: string | null; commands?: string[] }
  | { too_young: number }
  | { silent: string; order_code: string | null }
  | { checked: number }

const pageSize = 100
const atATime = 5

/**
 * Compares the orders since an instant with the gateway's and the network's records, and checks our own records for
 * consistency. Refunds without a response are retried first, under their own keys. Each finding becomes one task, so a
 * repeated run changes nothing else.
 */
export async function* reconcile(deps: ReconciliationDeps, since: Temporal.Instant): AsyncGenerator<Reconciled> {
  yield* askForRefunds(deps)
  let checked = 0
  let after: Order | null = null
  for (;;) {
    const { orders, told }: Page = await comparePage(deps, { since, after, limit: pageSize })
    yield* told
    checked += orders.length
    yield { checked }
    after = orders.at(-1) ?? null
    if (orders.length < pageSize) break
  }
  yield* compareNotifications(deps, since)
}

type Page = { orders: Order[]; told: Reconciled[] }

export async function comparePage(
  deps: ReconciliationDeps,
  page: Parameters<typeof listOrdersSince>[1],
): Promise<Page> {
  const orders = await listOrdersSince(deps.db, page)
  const told: Reconciled[] = []
  for (let at = 0; at < orders.length; at += atATime) {
    const found = await Promise.all(orders.slice(at, at + atATime).map((order) => compareOrder(deps, order)))
    told.push(...found.flat())
  }
  return { orders, told }
}

const mostFound = 200

/** Compares earlier orders again that have an open finding, which may have been resolved since. */
export async function compareFoundBefore(deps: ReconciliationDeps, since: Temporal.Instant): Promise<Reconciled[]> {
  const told: Reconciled[] = []
  for (const id of await ordersOfTasks(deps.db, 'finding', mostFound)) {
    const order = await findOrder(deps.db, id)
    if (order && order.created_at < toDate(since)) told.push(...(await compareOrder(deps, order)))
  }
  return told
}

export async function* askForRefunds(deps: ReconciliationDeps): AsyncGenerator<Reconciled> {
  for (const refund of await listOpenRefunds(deps.db, pageSize)) {
    const { outcome } = await resolveRefund(deps, refund)
    if (outcome === 'unknown') yield { silent: `the refund ${refund.reference} has no answer`, order_code: null }
  }
}

async function compareOrder(deps: ReconciliationDeps, order: Order): Promise<Reconciled[]> {
  const told = [
    ...(await Promise.all((await attemptsOf(deps.db, order.id)).map((attempt) => compareCapture(deps, attempt)))),
    ...(await Promise.all(
      (await operationsOf(deps.db, order.id)).map((operation) => compareOperation(deps, order, operation)),
    )),
  ]
  // Retries an unfinished order now; its worker uses the same idempotency keys.
  if (!isOver(order.state)) await retryNow(deps.db, orderRetries, { id: order.id })
  const faults = [...told.flatMap((each) => each.faults), ...(await faultsHere(deps, order))]
  // An order that changed during the comparison is left to the next run.
  const isStill = faults.length > 0 && (await findOrder(deps.db, order.id))?.version === order.version
  const findings = isStill ? faults.map((fault) => `${order.order_code} ${fault}`) : []
  const silent = told.flatMap((each) => each.silent)
  const isKnown = silent.length === 0 && (isStill || faults.length === 0)
  await keepFindings(deps, order, { findings, isKnown })
  return [
    ...findings.map((finding) => ({ finding, order_code: order.order_code })),
    ...silent.map((each) => ({ silent: each, order_code: order.order_code })),
  ]
}

/** Each finding becomes a task, and tasks without a finding end. With incomplete information, no task ends. */
async function keepFindings(
  { db }: ReconciliationDeps,
  { id: orderId }: Order,
  { findings, isKnown }: { findings: string[]; isKnown: boolean },
): Promise<void> {
  const tasks = findings.map((reason) => ({ kind: 'finding', orderId, reason }) as const)
  if (!isKnown) for (const task of tasks) await reportToOperator(db, task)
  else if (tasks.length > 0) await setTasks(db, { kind: 'finding', orderId }, tasks)
  else await endTasksAbout(db, { kind: 'finding', orderId })
}

/** A fault counts only if it is seen twice, because a single read may see a half-recorded refund. */
async function faultsHere(deps: ReconciliationDeps, order: Order): Promise<string[]> {
  const first = await faultsSeen(deps, order)
  if (first.length === 0) return []
  const second = await faultsSeen(deps, order)
  return first.filter((fault) => second.includes(fault))
}

const faultsSeen = async ({ db }: ReconciliationDeps, order: Order): Promise<string[]> =>
  faultsOfBooks({
    order,
    attempts: await attemptsOf(db, order.id),
    refunds: await refundsOf(db, order.id),
    disputes: await disputesOf(db, order.id),
    documents: await listDocumentsOf(db, order.id),
  })

/**
 * Reports disputes from notifications that are missing in our tables. An older version stored only the notification.
 */
export async function* compareNotifications(
  deps: ReconciliationDeps,
  since: Temporal.Instant,
): AsyncGenerator<Reconciled> {
  const references = await listNotifiedSince(deps.db, disputeEvents, since)
  const unknown = await unknownReferences(deps.db, references)
  for (const subject of references.filter((each) => !unknown.includes(each)))
    await endTasksAbout(deps.db, { kind: 'finding', subject })
  for (const reference of unknown) {
    const finding = `the gateway reported the dispute ${reference}, which is not in our tables: check it on the gateway’s site`
    await reportToOperator(deps.db, { kind: 'finding', subject: reference, reason: finding })
    yield { finding, order_code: null }
  }
}
