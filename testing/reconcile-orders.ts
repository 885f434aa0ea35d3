import { gstOf } from '#kit/contract/money.ts'
import { markets } from '#kit/server/markets.ts'
import type { Db } from '#kit/server/db.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import type { Ledgers } from './ledgers.ts'

/**
 * One line and one plan at the network for each activation that was paid, one plan for each renewal, one add-on for
 * each add-on; none unpaid.
 */
export function faultsAtNetwork(order: Order, { network }: Ledgers): string[] {
  const done = (action: string) =>
    network.filter(
      (line) =>
        line.external_id.startsWith(`${order.order_code}-`) && line.action === action && line.state === 'completed',
    ).length
  const isGood = order.state === 'completed'
  const wanted = {
    lines: isGood && order.kind === 'activation' ? 1 : 0,
    plans: isGood && order.kind !== 'addon' ? 1 : 0,
    addons: isGood && order.kind === 'addon' ? 1 : 0,
  }
  const lines = done('activate') - done('deactivate')
  // A line that is taken back takes its plan along.
  const plans = order.kind === 'activation' && lines === 0 ? 0 : done('add_plan') - done('remove_plan')
  const addons = done('add_addon') - done('remove_addon')
  return [
    ...['activate', 'add_plan', 'add_addon'].flatMap((action) =>
      unless(done(action) <= 1, `was carried out ${done(action)} times: ${action}`),
    ),
    ...unless(lines === wanted.lines, `has ${lines} active lines`),
    ...unless(plans === wanted.plans, `has ${plans} plans`),
    ...unless(addons === wanted.addons, `has ${addons} add-ons`),
  ]
}

const eventOf = { activation: 'activation', recharge: 'renewal', addon: 'addon' } as const

/** What a success leaves in our own books, once each; whatever came to nothing leaves nothing. */
export async function faultsOfDelivery(db: Db, order: Order): Promise<string[]> {
  const wanted = order.state === 'completed' ? 1 : 0
  const ofActivation = order.kind === 'activation' ? wanted : 0
  const invoices = await db
    .selectFrom('invoices')
    .selectAll()
    .where('order_id', '=', order.id)
    .where('document_type', '=', 'invoice')
    .execute()
  const messages = await db
    .selectFrom('messages')
    .selectAll()
    .where('event_key', '=', `${eventOf[order.kind]}:${order.id}`)
    .execute()
  const services = await db.selectFrom('services').select('id').where('order_id', '=', order.id).execute()
  const plans = await plansOf(db, order)
  const sims = await db.selectFrom('sim_packs').selectAll().where('order_id', '=', order.id).execute()
  const vouchers = await db.selectFrom('vouchers').selectAll().where('order_id', '=', order.id).execute()
  return [
    ...Object.entries({ invoices, messages }).flatMap(([what, rows]) =>
      unless(rows.length === wanted, `has ${rows.length} ${what}`),
    ),
    ...Object.entries({ services, sims }).flatMap(([what, rows]) =>
      unless(rows.length === ofActivation, `has ${rows.length} ${what}`),
    ),
    ...unless(plans === (order.kind === 'addon' ? 0 : wanted), `has ${plans} plans in our books`),
    ...unless(vouchers.length === (order.voucher_id ? wanted : 0), `holds ${vouchers.length} vouchers`),
    ...unless(
      [...vouchers.map((row) => row.redeemed_at), ...sims.map((row) => row.activated_at)].every(Boolean),
      'holds what it has not used',
    ),
    ...unless(
      invoices.every((invoice) => invoice.total_cents === order.amount_cents),
      'has an invoice of another amount',
    ),
    ...unless(
      invoices.every((invoice) => invoice.tax_cents === gstOf(invoice.total_cents, taxPartOf(order))),
      'has an invoice with another GST',
    ),
    ...unless(
      messages.every((message) => message.sent_at && !message.sealed_body),
      'has an unsent message',
    ),
    ...unless(order.password_hash === null, 'still keeps a password'),
  ]
}

/** The plan that an order paid for: a schedule's present one, one that waits, or one that a later order has taken the place of. */
async function plansOf(db: Db, { id }: Order): Promise<number> {
  const present = await db.selectFrom('schedules').select('id').where('order_id', '=', id).execute()
  const queued = await db.selectFrom('queued_plans').select('service_id').where('order_id', '=', id).execute()
  const followed = await db
    .selectFrom('orders')
    .leftJoin('queued_plans', 'queued_plans.order_id', 'orders.id')
    .select('orders.id')
    .where('renews_order_id', '=', id)
    .where('state', '=', 'completed')
    .where('queued_plans.order_id', 'is', null)
    .execute()
  return present.length + queued.length + followed.length
}

/** The GST in what is paid with this currency. */
export const taxPartOf = ({ currency }: Pick<Order, 'currency'>): readonly [number, number] =>
  (currency === markets.AU.currency ? markets.AU : markets.NZ).taxPart

const unless = (isGood: boolean, fault: string): string[] => (isGood ? [] : [fault])
