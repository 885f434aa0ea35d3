import { toDate } from '#kit/server/clock.ts'
import { retryNow } from '#kit/server/retry-queue.ts'
import { listOrderDisputes, filterUnknownReferences } from '#features/disputes/server/disputes.store.ts'
import { disputeEvents } from '#features/disputes/server/disputes.ts'
import { listOrderDocuments } from '#features/invoices/server/invoices.store.ts'
import {
  endMatchingTasks,
  listOrdersWithTask,
  createTask,
  syncTasks,
} from '#features/operator-tasks/server/operator-tasks.store.ts'
import { isEndState } from '#features/orders/orders.states.ts'
import { listOrdersSince } from '#features/orders/server/recent-orders.store.ts'
import { findOrder, type Order, orderQueue } from '#features/orders/server/orders.store.ts'
import { listOrderOperations } from '#features/orders/server/operations.store.ts'
import { listAttempts, listReferencesNotifiedSince } from '#features/orders/server/payments.store.ts'
import { resolveRefund } from '#features/refunds/server/refunds.ts'
import { listOpenRefunds, listOrderRefunds } from '#features/refunds/server/refunds.store.ts'
import { findInconsistencies } from './order-ledger.ts'
import { compareCapture, compareOperation } from './provider-ledgers.ts'
import type { ReconciliationDeps } from './reconciliation.deps.ts'

export type ReconciliationResult =
  | { finding: string; order_code: string | null; commands?: string[] }
  | { too_young: number }
  | { silent: string; order_code: string | null }
  | { checked: number }

const pageSize = 100
const concurrency = 5

/**
 * Compares the orders since the given instant with the gateway's and the network's records, and checks our own records
 * for consistency. Refunds without a response are first retried with their original idempotency keys. Each finding
 * creates only one task, however often the comparison is repeated.
 */
export async function* reconcile(
  deps: ReconciliationDeps,
  since: Temporal.Instant,
): AsyncGenerator<ReconciliationResult> {
  yield* retryOpenRefunds(deps)
  let checkedCount = 0
  let after: Order | null = null
  for (;;) {
    const { orders, told }: ComparedPage = await comparePage(deps, { since, after, limit: pageSize })
    yield* told
    checkedCount += orders.length
    yield { checked: checkedCount }
    after = orders.at(-1) ?? null
    if (orders.length < pageSize) break
  }
  yield* compareNotifications(deps, since)
}

type ComparedPage = { orders: Order[]; told: ReconciliationResult[] }

export async function comparePage(
  deps: ReconciliationDeps,
  page: Parameters<typeof listOrdersSince>[1],
): Promise<ComparedPage> {
  const orders = await listOrdersSince(deps.db, page)
  const results: ReconciliationResult[] = []
  for (let at = 0; at < orders.length; at += concurrency) {
    const orderResults = await Promise.all(orders.slice(at, at + concurrency).map((order) => compareOrder(deps, order)))
    results.push(...orderResults.flat())
  }
  return { orders, told: results }
}

const maxInconsistencies = 200

/** Compares earlier orders that have an open finding again, because the finding may have been resolved since. */
export async function recheckOpenFindings(
  deps: ReconciliationDeps,
  since: Temporal.Instant,
): Promise<ReconciliationResult[]> {
  const results: ReconciliationResult[] = []
  for (const id of await listOrdersWithTask(deps.db, 'finding', maxInconsistencies)) {
    const order = await findOrder(deps.db, id)
    if (order && order.created_at < toDate(since)) results.push(...(await compareOrder(deps, order)))
  }
  return results
}

export async function* retryOpenRefunds(deps: ReconciliationDeps): AsyncGenerator<ReconciliationResult> {
  for (const refund of await listOpenRefunds(deps.db, pageSize)) {
    const { outcome } = await resolveRefund(deps, refund)
    if (outcome === 'unknown') yield { silent: `the refund ${refund.reference} has no answer`, order_code: null }
  }
}

async function compareOrder(deps: ReconciliationDeps, order: Order): Promise<ReconciliationResult[]> {
  const comparisons = [
    ...(await Promise.all((await listAttempts(deps.db, order.id)).map((attempt) => compareCapture(deps, attempt)))),
    ...(await Promise.all(
      (await listOrderOperations(deps.db, order.id)).map((operation) => compareOperation(deps, order, operation)),
    )),
  ]
  // Retry an unfinished order now. Its worker uses the same idempotency keys as before.
  if (!isEndState(order.state)) await retryNow(deps.db, orderQueue, { id: order.id })
  const inconsistencies = [
    ...comparisons.flatMap((each) => each.faults),
    ...(await findConfirmedInconsistencies(deps, order)),
  ]
  // If the order changed during the comparison, leave it to the next run.
  const isUnchanged = inconsistencies.length > 0 && (await findOrder(deps.db, order.id))?.version === order.version
  const findings = isUnchanged ? inconsistencies.map((fault) => `${order.order_code} ${fault}`) : []
  const unansweredQueries = comparisons.flatMap((each) => each.silent)
  const isComplete = unansweredQueries.length === 0 && (isUnchanged || inconsistencies.length === 0)
  await storeFindings(deps, order, { findings, isKnown: isComplete })
  return [
    ...findings.map((finding) => ({ finding, order_code: order.order_code })),
    ...unansweredQueries.map((comparison) => ({ silent: comparison, order_code: order.order_code })),
  ]
}

/**
 * Creates a task for each finding, and closes the tasks whose finding is gone. If a provider did not respond, no task
 * is closed.
 */
async function storeFindings(
  { db }: ReconciliationDeps,
  { id: orderId }: Order,
  { findings, isKnown }: { findings: string[]; isKnown: boolean },
): Promise<void> {
  const tasks = findings.map((reason) => ({ kind: 'finding', orderId, reason }) as const)
  if (!isKnown) for (const task of tasks) await createTask(db, task)
  else if (tasks.length > 0) await syncTasks(db, { kind: 'finding', orderId }, tasks)
  else await endMatchingTasks(db, { kind: 'finding', orderId })
}

/**
 * Returns only the inconsistencies found in two reads in a row, because a single read may catch a half-recorded refund.
 */
async function findConfirmedInconsistencies(deps: ReconciliationDeps, order: Order): Promise<string[]> {
  const firstRead = await readInconsistencies(deps, order)
  if (firstRead.length === 0) return []
  const secondRead = await readInconsistencies(deps, order)
  return firstRead.filter((fault) => secondRead.includes(fault))
}

const readInconsistencies = async ({ db }: ReconciliationDeps, order: Order): Promise<string[]> =>
  findInconsistencies({
    order,
    attempts: await listAttempts(db, order.id),
    refunds: await listOrderRefunds(db, order.id),
    disputes: await listOrderDisputes(db, order.id),
    documents: await listOrderDocuments(db, order.id),
  })

/**
 * Reports disputes that appear in notifications but are missing from our tables. An older version of Fantail stored only
 * the notification.
 */
export async function* compareNotifications(
  deps: ReconciliationDeps,
  since: Temporal.Instant,
): AsyncGenerator<ReconciliationResult> {
  const references = await listReferencesNotifiedSince(deps.db, disputeEvents, since)
  const unknownReferences = await filterUnknownReferences(deps.db, references)
  for (const subject of references.filter((each) => !unknownReferences.includes(each)))
    await endMatchingTasks(deps.db, { kind: 'finding', subject })
  for (const reference of unknownReferences) {
    const finding = `the gateway reported the dispute ${reference}, which is not in our tables: check it on the gateway’s site`
    await createTask(deps.db, { kind: 'finding', subject: reference, reason: finding })
    yield { finding, order_code: null }
  }
}
