import type { Db } from '#kit/server/db.ts'
import { endStates, isOver } from '#features/orders/orders.states.ts'
import { releaseId } from '#features/services/server/releases.store.ts'
import { type Fault, type Finding, unless } from './findings.ts'
import type { Ledgers } from './ledgers.ts'
import { type OurBooks, readOurBooks } from './our-books.ts'
import { faultsOfNumbers, faultsOfPorts } from './reconcile-numbers.ts'
import { codeIn, rulesOfDelivery, rulesOfNetwork } from './reconcile-orders.ts'
import { faultsOfCardUpdates, faultsOfRefusedPayments, rulesOfPayment } from './reconcile-payments.ts'
import { rulesOfCancelled, rulesOfRefund } from './reconcile-refunds.ts'
import { faultsOfServices } from './reconcile-services.ts'
import { until } from './until.ts'
import type { World } from './world.ts'

/** Of an order, or of none; `task` as in a fault. */
export type AccountableFinding = Finding & Pick<Fault, 'task'>

/** Waits until nothing moves in a world, and then answers what its books get wrong. */
export async function faultsWhenQuiet(world: World): Promise<string[]> {
  await until(async () => (await isQuiet(world)) && (await isQuiet(world)))
  return reconcile(world.db, await world.ledgers())
}

/**
 * No order, no card update or removal and no release is under way, no transfer is being called off, no message waits but
 * for the morning, no job, and no notification that the gateway may deliver.
 */
export async function isQuiet({ db, deps }: World): Promise<boolean> {
  const moving = await db
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
  const cancelling = await db.selectFrom('porting_requests').select('id').where('status', '=', 'CANCELLING').execute()
  const unsent = await db
    .selectFrom('messages')
    .select('id')
    .where('sent_at', 'is', null)
    .where('dropped_at', 'is', null)
    .where('due_at', 'is', null)
    .execute()
  const pending = (await (await fetch(`${deps.outside.cardUrl}/_simulator/webhooks/pending`)).json()) as {
    held: boolean
  }[]
  return (
    moving.length +
      cards.length +
      removals.length +
      refunds.length +
      releases.length +
      cancelling.length +
      unsent.length +
      (await deps.jobs.unfinished()) +
      pending.filter(({ held }) => !held).length ===
    0
  )
}

/**
 * What does not add up between our own books and those of the gateway and the network, one sentence each. Empty is
 * good: each success is paid, active, delivered, invoiced and told of once, and of everything else nothing is left.
 * To be asked when nothing moves any more; an order that waits for its customer is taken as it stands.
 * @param since leaves out orders and services that were made before
 */
export async function reconcile(db: Db, ledgers: Ledgers, since = new Date(0)): Promise<string[]> {
  const books = await readOurBooks(db)
  const found = [...findingsOf(books, ledgers, since), ...(await faultsOfNumbers(db))]
  return [...books.tasks.map(({ reason }) => `the operator is to look at: ${reason}`), ...found.map(({ text }) => text)]
}

/** The same, but for numbers to bring, of what the tables said at one moment: each finding with its kind and its order. */
export function findingsOf(books: OurBooks, ledgers: Ledgers, since: Date): AccountableFinding[] {
  const ofNoOrder = [...faultsOfCardUpdates(books, ledgers), ...faultsOfRefusedPayments(books)]
  const rules = [
    rulesOfPayment(books, ledgers),
    rulesOfNetwork(books, ledgers),
    rulesOfDelivery(books),
    rulesOfRefund(books),
    rulesOfCancelled(books),
  ]
  const orders = books.orders.filter(({ created_at: at, state }) => at >= since && state !== 'held')
  return [
    ...strangersIn(books, ledgers),
    ...ofNoOrder.map((fault) => ({ ...fault, order_code: null })),
    ...faultsOfServices(books, ledgers, since),
    ...faultsOfPorts(books, ledgers, since),
    ...orders.flatMap((order) =>
      [...rules.flatMap((faults) => faults(order)), ...unless(isOver(order.state), 'unsettled', 'is not over')].map(
        (fault) => ({
          ...fault,
          order_code: order.order_code,
          text: `${order.order_code} (${order.state}) ${fault.text}`,
        }),
      ),
    ),
  ]
}

/** References that the others know and we do not. */
function strangersIn(
  { attempts, updates, operations, ports, releases }: OurBooks,
  { gateway, network }: Ledgers,
): Finding[] {
  const releaseIds = releases.map((row) => releaseId(row.service_id))
  const released = network
    .map((line) => line.external_id)
    .filter((id) => id.startsWith('release') && releaseIds.some((ours) => id.startsWith(ours)))
  const ours = new Set([
    ...[...attempts, ...updates].map((row) => row.reference),
    ...[...operations, ...ports].map((row) => row.external_id),
    ...released,
  ])
  const hasMoney = new Set(gateway.filter((line) => line.captured > line.refunded).map((line) => line.reference))
  const theirs = [...gateway.map((line) => line.reference), ...network.map((line) => line.external_id)]
  const again = [...Map.groupBy(theirs, (reference) => reference).values()].flatMap((all) => all.slice(1))
  const about = (reference: string) => ({ order_code: codeIn(reference) })
  return [
    ...theirs
      .filter((reference) => !ours.has(reference))
      .map((reference) => ({
        ...about(reference),
        kind: hasMoney.has(reference) ? ('lost' as const) : ('unexplained' as const),
        text: `${reference} is in no book of ours`,
      })),
    ...again.map((reference) => ({
      ...about(reference),
      kind: 'doubled' as const,
      text: `${reference} was carried out twice`,
    })),
  ]
}
