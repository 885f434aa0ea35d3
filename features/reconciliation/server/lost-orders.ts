import { transact } from '#kit/server/db.ts'
import { endTasksAbout, replaceTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { knownOperations } from '#features/orders/server/operations.store.ts'
import { findOrderByCode } from '#features/orders/server/orders.store.ts'
import { operationIn, orderCodeIn, paymentReferenceIn } from '#features/orders/server/own-references.present.ts'
import { knownPayments } from '#features/orders/server/payments.store.ts'
import { knownPorts } from '#features/porting/server/porting.store.ts'
import type { ReportedPayment } from '#providers/card/gateway-report.port.ts'
import type { ListedOrder } from '#providers/network/network.port.ts'
import { findLostRefunds, type KnownPayment } from './lost-refunds.ts'
import { type LostOperation, type LostOrder, findingOf } from './lost-orders.present.ts'
import type { Reconciled } from './reconciliation.ts'
import type { ReconciliationDeps } from './reconciliation.deps.ts'

/** Hours after which an unknown payment or order counts as lost; a younger one may still be in progress. */
const hoursUnderWay = 24
const atOnce = 1_000
/** Keeps a report from another installation with similar references from flooding the task list. */
const maxTasks = 1_000

/** The payments in the gateway's report whose reference has our format. @throws GatewayReportFault */
export const readReport = (
  { readGatewayReport }: ReconciliationDeps,
  bytes: AsyncIterable<Uint8Array>,
): Promise<ReportedPayment[]> => readGatewayReport(bytes, (reference) => paymentReferenceIn(reference) !== null)

/**
 * Finds orders that exist only at the providers, from the gateway's report and from the network's orders since an
 * instant. Each order is one finding and one task. The task ends once a later run finds nothing left of it.
 * Also finds refunds of our orders that only the gateway knows.
 */
export async function* findLostOrders(
  deps: ReconciliationDeps,
  { payments, since }: { payments: readonly ReportedPayment[]; since: Temporal.Instant },
): AsyncGenerator<Reconciled> {
  const until = deps.clock.now().subtract({ hours: hoursUnderWay })
  const { known, unknown } = await sortPayments(deps, payments)
  yield* findLostRefunds(deps, known)
  const old = unknown.filter(({ firstAt }) => Temporal.Instant.compare(firstAt, until) < 0)
  // The network's list must cover every lost payment. Otherwise a task could end while its line is still active.
  const from = old.reduce(
    (first, { firstAt }) => (Temporal.Instant.compare(firstAt, first) < 0 ? firstAt : first),
    since,
  )
  const operations = await unknownOperations(deps, { from, until })
  if ('why' in operations) yield { silent: `the network's list of its orders: ${operations.why}`, order_code: null }
  let tasks = 0
  for (const lost of lostOrders(old, 'why' in operations ? [] : operations)) {
    const { finding, commands } = findingOf(await withOrder(deps, lost), deps.market)
    if (!finding) {
      if (!('why' in operations)) await endTasksAbout(deps.db, aboutOrder(lost.code))
      continue
    }
    if (++tasks <= maxTasks)
      await transact(deps.db, (trx) => replaceTask(trx, { ...aboutOrder(lost.code), reason: finding }))
    yield { finding, order_code: lost.code, commands }
  }
  if (unknown.length > old.length) yield { too_young: unknown.length - old.length }
}

const aboutOrder = (code: string) => ({ kind: 'finding', subject: `lost order ${code}` }) as const

async function sortPayments(
  { db }: ReconciliationDeps,
  payments: readonly ReportedPayment[],
): Promise<{ known: KnownPayment[]; unknown: ReportedPayment[] }> {
  const [known, unknown]: [KnownPayment[], ReportedPayment[]] = [[], []]
  for (let at = 0; at < payments.length; at += atOnce) {
    const some = payments.slice(at, at + atOnce).map((payment) => ({
      payment,
      reference: paymentReferenceIn(payment.reference) ?? '',
    }))
    const orders = await knownPayments(
      db,
      some.map(({ reference }) => reference),
    )
    for (const { payment, reference } of some) {
      const orderId = orders.get(reference)
      if (orderId === undefined) unknown.push(payment)
      else known.push({ ...payment, reference, orderId })
    }
  }
  return { known, unknown }
}

/**
 * The network's orders with our id format that are in none of our tables. Failed orders are left out, because they had
 * no effect.
 */
async function unknownOperations(
  { db, network }: ReconciliationDeps,
  span: { from: Temporal.Instant; until: Temporal.Instant },
): Promise<LostOperation[] | { why: string }> {
  const answer = await network.list(span)
  if (answer.outcome === 'unknown') return { why: answer.why }
  const unknown: LostOperation[] = []
  const ours = answer.orders.flatMap(lostOperationOf)
  for (let at = 0; at < ours.length; at += atOnce) {
    const some = ours.slice(at, at + atOnce)
    const ids = some.map(({ externalId }) => externalId)
    const [operations, ports] = await Promise.all([knownOperations(db, ids), knownPorts(db, ids)])
    unknown.push(...some.filter(({ externalId }) => !operations.has(externalId) && !ports.has(externalId)))
  }
  return unknown
}

function lostOperationOf(order: ListedOrder): LostOperation[] {
  const named = operationIn(order.externalId)
  return named && order.state !== 'failed' ? [{ ...order, ...named }] : []
}

function lostOrders(payments: readonly ReportedPayment[], operations: readonly LostOperation[]): LostOrder[] {
  const orders = new Map<string, LostOrder>()
  const orderOf = (code: string): LostOrder => {
    const order = orders.get(code) ?? { code, isKnown: false, payments: [], operations: [] }
    orders.set(code, order)
    return order
  }
  for (const payment of payments) orderOf(orderCodeIn(payment.reference)).payments.push(payment)
  for (const operation of operations) orderOf(operation.orderCode).operations.push(operation)
  return [...orders.values()]
}

const withOrder = async ({ db }: ReconciliationDeps, lost: LostOrder): Promise<LostOrder> => ({
  ...lost,
  isKnown: (await findOrderByCode(db, lost.code)) !== undefined,
})
