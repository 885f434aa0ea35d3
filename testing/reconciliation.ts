import { gstOf } from '#kit/contract/money.ts'
import type { Db } from '#kit/server/db.ts'
import { isRefundOpen } from '#features/refunds/refunds.states.ts'
import { isOver } from '#features/payment-method/payment-method.states.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import { releaseId } from '#features/services/server/releases.store.ts'
import { faultsOfNumbers, faultsOfPorts } from './reconcile-numbers.ts'
import { faultsAtNetwork, faultsOfDelivery, taxPartOf } from './reconcile-orders.ts'
import { faultsOfServices } from './reconcile-services.ts'
import { until } from './until.ts'
import type { Ledgers } from './ledgers.ts'
import type { World } from './world.ts'

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
    .where('state', 'not in', ['completed', 'refused', 'undone', 'held'])
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
  const orders = await db.selectFrom('orders').selectAll().where('created_at', '>=', since).execute()
  const tasks = await db.selectFrom('operator_tasks').select('reason').where('done_at', 'is', null).execute()
  const faults = [
    ...tasks.map(({ reason }) => `the operator is to look at: ${reason}`),
    ...(await strangersIn(db, ledgers)),
    ...(await faultsOfCardUpdates(db, ledgers)),
    ...(await faultsOfRefusedPayments(db)),
    ...(await faultsOfServices(db, ledgers, since)),
    ...(await faultsOfNumbers(db)),
    ...(await faultsOfPorts(db, ledgers, since)),
  ]
  for (const order of orders) {
    if (order.state === 'held') continue
    const found = [
      ...(await faultsOfPayment(db, order, ledgers)),
      ...faultsAtNetwork(order, ledgers),
      ...(await faultsOfDelivery(db, order)),
      ...(await faultsOfRefund(db, order)),
    ]
    if (!['completed', 'refused', 'undone'].includes(order.state)) found.push('is not over')
    faults.push(...found.map((fault) => `${order.order_code} (${order.state}) ${fault}`))
  }
  return faults
}

/** References that the others know and we do not. */
async function strangersIn(db: Db, { gateway, network }: Ledgers): Promise<string[]> {
  const attempts = await db.selectFrom('payment_attempts').select('reference').execute()
  const updates = await db.selectFrom('card_updates').select('reference').execute()
  const operations = await db.selectFrom('network_operations').select('external_id').execute()
  const ports = await db.selectFrom('porting_requests').select('external_id').execute()
  const releases = await db.selectFrom('service_releases').select('service_id').execute()
  const released = network
    .map((line) => line.external_id)
    .filter((id) => releases.some((row) => id.startsWith(releaseId(row.service_id))))
  const ours = new Set([
    ...[...attempts, ...updates].map((row) => row.reference),
    ...[...operations, ...ports].map((row) => row.external_id),
    ...released,
  ])
  const theirs = [...gateway.map((line) => line.reference), ...network.map((line) => line.external_id)]
  return [
    ...theirs.filter((reference) => !ours.has(reference)).map((reference) => `${reference} is in no book of ours`),
    ...theirs
      .filter((reference, at) => theirs.indexOf(reference) !== at)
      .map((reference) => `${reference} was carried out twice`),
  ]
}

/** A card that is stored here is stored there, for nothing and by one authorisation; of every other update nothing is left. */
async function faultsOfCardUpdates(db: Db, { gateway }: Ledgers): Promise<string[]> {
  const updates = await db.selectFrom('card_updates').selectAll().execute()
  return updates.flatMap(({ reference, state, sealed_card: sealed, psp_reference: psp }) => {
    const lines = gateway.filter((line) => line.reference === reference)
    const found = [
      ...unless(isOver(state), 'is not over'),
      ...unless(sealed === null, 'still keeps an encrypted card'),
      ...unless(
        state !== 'stored' || lines.some((line) => line.psp_reference === psp),
        'is stored, and the gateway does not know of it',
      ),
      ...unless(
        lines.every((line) => line.authorised === 0 && line.captured === 0),
        'took money',
      ),
    ]
    return found.map((fault) => `${reference} (${state}) ${fault}`)
  })
}

/**
 * What was counted while it was on its way is counted as refused by now, or not at all; one that succeeded never. One that was given
 * back because its card is of a type that is not taken counts as refused.
 */
async function faultsOfRefusedPayments(db: Db): Promise<string[]> {
  const counted = await db.selectFrom('refused_payments').select(['reference', 'refused_at']).execute()
  const attempts = await db
    .selectFrom('payment_attempts')
    .innerJoin('orders', 'orders.id', 'payment_attempts.order_id')
    .select('reference')
    .where('payment_attempts.state', '!=', 'refused')
    .where('orders.failure_code', 'is distinct from', 'card_type')
    .execute()
  const updates = await db
    .selectFrom('card_updates')
    .select('reference')
    .where('state', '!=', 'refused')
    .where('failure', 'is distinct from', 'card_type')
    .execute()
  const good = new Set([...attempts, ...updates].map(({ reference }) => reference))
  return counted.flatMap(({ reference, refused_at: at }) => [
    ...unless(at !== null, `${reference} is still counted as on its way`),
    ...unless(!good.has(reference), `${reference} is counted as refused, and was not`),
  ])
}

async function faultsOfPayment(db: Db, order: Order, { gateway }: Ledgers): Promise<string[]> {
  const attempts = await db.selectFrom('payment_attempts').selectAll().where('order_id', '=', order.id).execute()
  const lines = gateway.filter(({ reference }) => attempts.some((attempt) => attempt.reference === reference))
  const refunds = await db.selectFrom('refunds').selectAll().where('order_id', '=', order.id).execute()
  const refunded = refunds
    .filter(({ state }) => state === 'received')
    .reduce((sum, refund) => sum + refund.amount_cents, 0)
  const due = order.state === 'completed' ? order.amount_cents - refunded : 0
  const taken = lines.reduce((sum, line) => sum + line.captured - line.refunded, 0)
  const open = lines.filter((line) => line.authorised !== line.captured + line.cancelled)
  const captured = attempts.filter(({ state }) => state === 'captured').length
  return [
    ...unless(taken === due, `took ${taken} cents, not ${due}`),
    ...open.map((line) => `left ${line.reference} open`),
    ...unless(captured === (due + refunded > 0 ? 1 : 0), `has ${captured} captured attempts`),
    ...unless(!refunds.some(({ state }) => isRefundOpen(state)), 'has a refund that is not over'),
    ...unless(
      attempts.every(({ sealed_card }) => sealed_card === null),
      'still keeps an encrypted card',
    ),
  ]
}

/** A refund that was received, also one that came back, has one credit note of its amount, and one mail. */
async function faultsOfRefund(db: Db, order: Order): Promise<string[]> {
  const refunds = await db
    .selectFrom('refunds')
    .selectAll()
    .where('order_id', '=', order.id)
    .where('psp_reference', 'is not', null)
    .execute()
  const documents = await db.selectFrom('invoices').selectAll().where('order_id', '=', order.id).execute()
  const credits = documents.filter(({ document_type }) => document_type === 'credit')
  const mails = await db
    .selectFrom('messages')
    .select(['id', 'sent_at'])
    .where('event_key', 'in', ['none', ...refunds.map(({ id }) => `refund:${id}`)])
    .execute()
  const refunded = refunds.reduce((sum, refund) => sum + refund.amount_cents, 0)
  return [
    ...unless(credits.length === refunds.length, `has ${credits.length} credit notes for ${refunds.length} refunds`),
    ...unless(
      mails.length === refunds.length && mails.every(({ sent_at }) => sent_at),
      `has ${mails.length} mails about ${refunds.length} refunds`,
    ),
    ...unless(
      credits.every(
        (note) =>
          note.refund_ref === order.order_code &&
          refunds.some(({ id, amount_cents }) => id === note.refund_id && note.total_cents === 0 - amount_cents),
      ),
      'has a credit note of something else',
    ),
    ...unless(
      credits.every((note) => Math.abs(note.tax_cents - gstOf(note.total_cents, taxPartOf(order))) <= 1),
      'has a credit note with another GST',
    ),
    ...unless(
      refunded !== order.amount_cents || documents.reduce((sum, each) => sum + each.tax_cents, 0) === 0,
      'is given back and has GST left',
    ),
    ...unless(
      documents.every(
        (each) => each.total_cents === each.line_items.reduce((sum, item) => sum + item.subtotal_cents, 0),
      ),
      'has a document whose lines do not add up',
    ),
    ...unless(
      documents.length === 0 ||
        documents.reduce((sum, each) => sum + each.total_cents, 0) === order.amount_cents - refunded,
      'has documents that do not add up to what was paid',
    ),
  ]
}

const unless = (isGood: boolean, fault: string): string[] => (isGood ? [] : [fault])
