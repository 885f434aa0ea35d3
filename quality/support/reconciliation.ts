import type { Db } from '#kit/server/db.ts'
import { endStates, isEndState } from '#features/orders/orders.states.ts'
import { buildReleaseOrderId } from '#features/services/server/releases.store.ts'
import { type Fault, type Finding, createFaultUnless } from './findings.ts'
import type { Ledgers } from './ledgers.ts'
import { type ProductRecords, readProductRecords } from './product-records.ts'
import { findNumberFaults, findPortFaults } from './reconcile-numbers.ts'
import { extractOrderCode, createDeliveryRules, createNetworkRules } from './reconcile-orders.ts'
import { findCardUpdateFaults, findRefusedPaymentFaults, createPaymentRules } from './reconcile-payments.ts'
import { createCancellationRules, createRefundRules } from './reconcile-refunds.ts'
import { findServiceFaults } from './reconcile-services.ts'
import { pollUntil } from './poll-until.ts'
import type { World } from './world.ts'

export type FindingWithTask = Finding & Pick<Fault, 'task'>

export async function findFaultsWhenIdle(world: World): Promise<string[]> {
  await pollUntil(async () => (await isIdle(world)) && (await isIdle(world)))
  return reconcile(world.db, await world.ledgers())
}

/**
 * Returns whether no work is in progress: no order, card update, card removal, refund, release or transfer cancellation is open, and no job
 * or gateway notification is pending. The only messages that may be pending are those held back until the morning.
 */
export async function isIdle({ db, deps }: World): Promise<boolean> {
  const openOrders = await db
    .selectFrom('orders')
    .select('id')
    .where('state', 'not in', [...endStates, 'held'])
    .execute()
  const cards = await db
    .selectFrom('card_updates')
    .select('id')
    .where('state', 'in', ['initiated', 'unknown'])
    .execute()
  const removals = await db.selectFrom('card_removals').select('id').where('state', '=', 'initiated').execute()
  const refunds = await db.selectFrom('refunds').select('id').where('state', 'in', ['initiated', 'unknown']).execute()
  const releases = await db
    .selectFrom('service_releases')
    .select('service_id')
    .where('state', '=', 'initiated')
    .execute()
  const cancellingPorts = await db
    .selectFrom('porting_requests')
    .select('id')
    .where('status', '=', 'CANCELLING')
    .execute()
  const unsentMessages = await db
    .selectFrom('messages')
    .select('id')
    .where('sent_at', 'is', null)
    .where('dropped_at', 'is', null)
    .where('due_at', 'is', null)
    .execute()
  const pendingWebhooks = (await (await fetch(`${deps.outside.cardUrl}/_simulator/webhooks/pending`)).json()) as {
    held: boolean
  }[]
  return (
    openOrders.length +
      cards.length +
      removals.length +
      refunds.length +
      releases.length +
      cancellingPorts.length +
      unsentMessages.length +
      (await deps.jobs.unfinished()) +
      pendingWebhooks.filter(({ held }) => !held).length ===
    0
  )
}

/**
 * Compares Fantail's tables with the gateway's and the network's ledgers, and returns one sentence for each discrepancy. Every successful
 * order must be paid, active, delivered, invoiced and mailed exactly once, and all other orders must leave nothing behind. Call this only
 * when no work is in progress. An order that is waiting for its customer may stay in its current state.
 * @param since leaves out orders and services created before this time
 */
export async function reconcile(db: Db, ledgers: Ledgers, since = new Date(0)): Promise<string[]> {
  const books = await readProductRecords(db)
  const found = [...collectFindings(books, ledgers, since), ...(await findNumberFaults(db))]
  return [...books.tasks.map(({ reason }) => `the operator is to look at: ${reason}`), ...found.map(({ text }) => text)]
}

/**
 * Returns the findings of `reconcile` other than those about reserved numbers, based on tables read in a single snapshot. Each finding
 * includes its kind and its order.
 */
export function collectFindings(books: ProductRecords, ledgers: Ledgers, since: Date): FindingWithTask[] {
  const orphanFaults = [...findCardUpdateFaults(books, ledgers), ...findRefusedPaymentFaults(books)]
  const rules = [
    createPaymentRules(books, ledgers),
    createNetworkRules(books, ledgers),
    createDeliveryRules(books),
    createRefundRules(books),
    createCancellationRules(books),
  ]
  const orders = books.orders.filter(({ created_at: at, state }) => at >= since && state !== 'held')
  return [
    ...findUnknownReferences(books, ledgers),
    ...orphanFaults.map((fault) => ({ ...fault, order_code: null })),
    ...findServiceFaults(books, ledgers, since),
    ...findPortFaults(books, ledgers, since),
    ...orders.flatMap((order) =>
      [
        ...rules.flatMap((faults) => faults(order)),
        ...createFaultUnless(isEndState(order.state), 'unsettled', 'is not over'),
      ].map((fault) => ({
        ...fault,
        order_code: order.order_code,
        text: `${order.order_code} (${order.state}) ${fault.text}`,
      })),
    ),
  ]
}

function findUnknownReferences(
  { attempts, updates, operations, ports, releases }: ProductRecords,
  { gateway, network }: Ledgers,
): Finding[] {
  const releaseIds = releases.map((row) => buildReleaseOrderId(row.service_id))
  const networkReleaseIds = network
    .map((line) => line.external_id)
    .filter((id) => id.startsWith('release') && releaseIds.some((ours) => id.startsWith(ours)))
  const ours = new Set([
    ...[...attempts, ...updates].map((row) => row.reference),
    ...[...operations, ...ports].map((row) => row.external_id),
    ...networkReleaseIds,
  ])
  const referencesWithMoney = new Set(
    gateway.filter((line) => line.captured > line.refunded).map((line) => line.reference),
  )
  const providerReferences = [...gateway.map((line) => line.reference), ...network.map((line) => line.external_id)]
  const again = [...Map.groupBy(providerReferences, (reference) => reference).values()].flatMap((all) => all.slice(1))
  const about = (reference: string) => ({ order_code: extractOrderCode(reference) })
  return [
    ...providerReferences
      .filter((reference) => !ours.has(reference))
      .map((reference) => ({
        ...about(reference),
        kind: referencesWithMoney.has(reference) ? ('lost' as const) : ('unexplained' as const),
        text: `${reference} is unknown to Fantail`,
      })),
    ...again.map((reference) => ({
      ...about(reference),
      kind: 'doubled' as const,
      text: `${reference} was carried out twice`,
    })),
  ]
}
