import { transact } from '#kit/server/db.ts'
import { endMatchingTasks, replaceTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { filterKnownOperations } from '#features/orders/server/operations.store.ts'
import { listOrderPrefixes, type OrderPrefixes } from '#features/orders/server/order-prefixes.store.ts'
import { findOrderByCode } from '#features/orders/server/orders.store.ts'
import { parseOperationId, parseOrderCode, parsePaymentReference } from '#features/orders/server/references.present.ts'
import { filterKnownPayments } from '#features/orders/server/payments.store.ts'
import { filterKnownPorts } from '#features/porting/server/porting.store.ts'
import type { ReportedPayment } from '#providers/card/gateway-report.port.ts'
import type { ListedOrder } from '#providers/network/network.port.ts'
import { findLostRefunds, type KnownPayment } from './lost-refunds.ts'
import { type LostOperation, type LostOrder, describeLostOrder } from './lost-orders.present.ts'
import type { ReconciliationResult } from './reconciliation.ts'
import type { ReconciliationDeps } from './reconciliation.deps.ts'

/** Hours after which an unknown payment or order counts as lost. A newer one may still be in progress. */
const maxInProgressHours = 24
const batchSize = 1_000
/** Maximum tasks per run, in case the report comes from a different installation with similar references. */
const maxTasks = 1_000

/**
 * Reads from the gateway's report the payments whose references have our format.
 * @throws GatewayReportError
 */
export async function readGatewayPayments(
  { db, readGatewayReport }: ReconciliationDeps,
  bytes: AsyncIterable<Uint8Array>,
): Promise<ReportedPayment[]> {
  const prefixes = await listOrderPrefixes(db)
  return readGatewayReport(bytes, (reference) => parsePaymentReference(reference, prefixes) !== null)
}

/**
 * Finds orders that only the providers know, in the gateway's report and in the network's orders since the given
 * instant. Each lost order produces one finding and one task. The task is closed once a later run finds nothing left of
 * the order. Also finds refunds of our orders that only the gateway has recorded.
 */
export async function* findLostOrders(
  deps: ReconciliationDeps,
  { payments, since }: { payments: readonly ReportedPayment[]; since: Temporal.Instant },
): AsyncGenerator<ReconciliationResult> {
  const until = deps.clock.now().subtract({ hours: maxInProgressHours })
  const prefixes = await listOrderPrefixes(deps.db)
  const { known, unknown } = await partitionKnownPayments(deps, payments, prefixes)
  yield* findLostRefunds(deps, known)
  const oldPayments = unknown.filter(({ firstAt }) => Temporal.Instant.compare(firstAt, until) < 0)
  // The network's orders must be read from the first lost payment onwards. Otherwise, a task could be closed while the SIM is still active.
  const from = oldPayments.reduce(
    (first, { firstAt }) => (Temporal.Instant.compare(firstAt, first) < 0 ? firstAt : first),
    since,
  )
  const operations = await findUnknownOperations(deps, { from, until }, prefixes)
  if ('why' in operations) yield { silent: `the network's list of its orders: ${operations.why}`, order_code: null }
  let taskCount = 0
  for (const lostOrder of groupLostOrders(oldPayments, 'why' in operations ? [] : operations)) {
    const { finding, commands } = describeLostOrder(await markKnownOrder(deps, lostOrder), deps.market)
    if (!finding) {
      if (!('why' in operations)) await endMatchingTasks(deps.db, buildLostOrderTaskSelector(lostOrder.code))
      continue
    }
    if (++taskCount <= maxTasks)
      await transact(deps.db, (trx) =>
        replaceTask(trx, { ...buildLostOrderTaskSelector(lostOrder.code), reason: finding }),
      )
    yield { finding, order_code: lostOrder.code, commands }
  }
  if (unknown.length > oldPayments.length) yield { too_young: unknown.length - oldPayments.length }
}

const buildLostOrderTaskSelector = (code: string) => ({ kind: 'finding', subject: `lost order ${code}` }) as const

async function partitionKnownPayments(
  { db }: ReconciliationDeps,
  payments: readonly ReportedPayment[],
  prefixes: OrderPrefixes,
): Promise<{ known: KnownPayment[]; unknown: ReportedPayment[] }> {
  const [known, unknown]: [KnownPayment[], ReportedPayment[]] = [[], []]
  for (let at = 0; at < payments.length; at += batchSize) {
    const batch = payments.slice(at, at + batchSize).map((payment) => ({
      payment,
      reference: parsePaymentReference(payment.reference, prefixes) ?? '',
    }))
    const orders = await filterKnownPayments(
      db,
      batch.map(({ reference }) => reference),
    )
    for (const { payment, reference } of batch) {
      const orderId = orders.get(reference)
      if (orderId === undefined) unknown.push(payment)
      else known.push({ ...payment, reference, orderId })
    }
  }
  return { known, unknown }
}

/**
 * Returns the network's orders whose IDs have our format but are missing from our tables. Failed orders are left out,
 * because they had no effect.
 */
async function findUnknownOperations(
  { db, network }: ReconciliationDeps,
  span: { from: Temporal.Instant; until: Temporal.Instant },
  prefixes: OrderPrefixes,
): Promise<LostOperation[] | { why: string }> {
  const networkOrderList = await network.list(span)
  if (networkOrderList.outcome === 'unknown') return { why: networkOrderList.why }
  const unknownOperationList: LostOperation[] = []
  const ownOperations = networkOrderList.orders.flatMap((order) => parseLostOperation(order, prefixes))
  for (let at = 0; at < ownOperations.length; at += batchSize) {
    const batch = ownOperations.slice(at, at + batchSize)
    const ids = batch.map(({ externalId }) => externalId)
    const [operations, ports] = await Promise.all([filterKnownOperations(db, ids), filterKnownPorts(db, ids)])
    unknownOperationList.push(
      ...batch.filter(({ externalId }) => !operations.has(externalId) && !ports.has(externalId)),
    )
  }
  return unknownOperationList
}

function parseLostOperation(order: ListedOrder, prefixes: OrderPrefixes): LostOperation[] {
  const parsedId = parseOperationId(order.externalId, prefixes)
  return parsedId && order.state !== 'failed' ? [{ ...order, ...parsedId }] : []
}

function groupLostOrders(payments: readonly ReportedPayment[], operations: readonly LostOperation[]): LostOrder[] {
  const orders = new Map<string, LostOrder>()
  const getOrCreateOrder = (code: string): LostOrder => {
    const order = orders.get(code) ?? { code, isKnown: false, payments: [], operations: [] }
    orders.set(code, order)
    return order
  }
  for (const payment of payments) getOrCreateOrder(parseOrderCode(payment.reference)).payments.push(payment)
  for (const operation of operations) getOrCreateOrder(operation.orderCode).operations.push(operation)
  return [...orders.values()]
}

const markKnownOrder = async ({ db }: ReconciliationDeps, lostOrder: LostOrder): Promise<LostOrder> => ({
  ...lostOrder,
  isKnown: (await findOrderByCode(db, lostOrder.code)) !== undefined,
})
