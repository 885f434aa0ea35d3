import { gstOf } from '#kit/contract/money.ts'
import { markets } from '#kit/server/markets.ts'
import { cameTooLate, wasDelivered } from '#features/orders/orders.states.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import { type Fault, type FindingKind, unless } from './findings.ts'
import type { Ledgers } from './ledgers.ts'
import { byOrder, type OurBooks } from './our-books.ts'

export const countedAs = (found: number, wanted: number): FindingKind =>
  found < wanted ? 'lost' : wanted === 0 ? 'unexplained' : 'doubled'

const counted = (what: string, found: number, wanted: number): Fault[] =>
  unless(found === wanted, countedAs(found, wanted), `has ${found} ${what}`)

export const codeIn = (id: string): string | null => /^[A-Z\d]+(?=-)/.exec(id)?.[0] ?? null

/**
 * Rules of the network's records: one line and one plan for each paid activation, one plan for each renewal, one add-on for each add-on
 * order. Nothing is there unpaid.
 */
export function rulesOfNetwork(books: OurBooks, { network }: Ledgers): (order: Order) => Fault[] {
  const completed = network.filter(({ state }) => state === 'completed')
  const linesOf = Map.groupBy(completed, ({ external_id: id }) => codeIn(id))
  const wentWithItsLine = goneWithLines(books, new Set(completed.map(({ external_id: id }) => id)))
  return (order) => {
    const lines = linesOf.get(order.order_code) ?? []
    const done = (action: string) => lines.filter((line) => line.action === action).length
    const isGood = order.state === 'completed'
    const wanted = {
      lines: isGood && order.kind === 'activation' ? 1 : 0,
      plans: isGood && order.kind !== 'addon' ? 1 : 0,
      addons: isGood && order.kind === 'addon' ? 1 : 0,
    }
    const active = done('activate') - done('deactivate')
    const hasNothing = wentWithItsLine(order) || (order.kind === 'activation' && active === 0)
    const plans = hasNothing ? 0 : done('add_plan') - done('remove_plan')
    const addons = hasNothing ? 0 : done('add_addon') - done('remove_addon')
    return [
      ...['activate', 'add_plan', 'add_addon'].flatMap((action) =>
        unless(done(action) <= 1, 'doubled', `was carried out ${done(action)} times: ${action}`),
      ),
      ...counted('active lines', active, wanted.lines),
      ...counted('plans', plans, wanted.plans),
      ...counted('add-ons', addons, wanted.addons),
    ]
  }
}

/**
 * Whether an order's plan or add-on went with the service's line when the network took that back. Its removal was asked for, and the
 * network found nothing. The network keeps no order of such a removal.
 */
function goneWithLines({ operations, releases }: OurBooks, completed: Set<string>): (order: Order) => boolean {
  const takenBack = new Set(releases.filter((row) => completed.has(row.external_id)).map((row) => row.service_id))
  const operationsOf = byOrder(operations)
  return (order) =>
    takenBack.has(order.service_id ?? '') &&
    operationsOf(order.id).some(
      ({ kind, state, fault }) =>
        (kind === 'remove_plan' || kind === 'remove_addon') && state === 'completed' && fault !== null,
    )
}

const eventOf = { activation: 'activation', recharge: 'renewal', addon: 'addon' } as const

export function rulesOfDelivery(books: OurBooks): (order: Order) => Fault[] {
  const documentsOf = byOrder(books.documents)
  const servicesOf = byOrder(books.services)
  const simsOf = byOrder(books.sims)
  const vouchersOf = byOrder(books.vouchers)
  const messagesOf = Map.groupBy(books.messages, ({ event_key }) => event_key)
  const plansOf = plansCounted(books)

  return (order) => {
    const wanted = order.state === 'completed' ? 1 : 0
    const bought = wasDelivered(order.state) ? 1 : 0
    // An order that came too late is only mentioned in the mail about its cancellation.
    const told = cameTooLate(order) ? 0 : bought
    const ofActivation = order.kind === 'activation' ? wanted : 0
    const invoices = documentsOf(order.id).filter(({ document_type }) => document_type === 'invoice')
    const messages = messagesOf.get(`${eventOf[order.kind]}:${order.id}`) ?? []
    const [services, sims, vouchers] = [servicesOf(order.id), simsOf(order.id), vouchersOf(order.id)]
    const plans = plansOf(order)
    const wantedPlans = order.kind === 'addon' ? 0 : wanted
    const wantedVouchers = order.voucher_id ? wanted : 0
    return [
      ...counted('invoices', invoices.length, bought),
      ...(books.forgotten.has(order.user_id ?? '') ? [] : counted('messages', messages.length, told)),
      ...counted('services', services.length, ofActivation),
      ...counted('sims', sims.length, ofActivation),
      ...counted('plans in our books', plans, wantedPlans),
      ...unless(
        vouchers.length === wantedVouchers,
        wantedVouchers === 0 ? 'lost' : vouchers.length === 0 ? 'unexplained' : 'doubled',
        `holds ${vouchers.length} vouchers`,
      ),
      ...unless(
        [...vouchers.map((row) => row.redeemed_at), ...sims.map((row) => row.activated_at)].every(Boolean),
        'unexplained',
        'holds what it has not used',
      ),
      ...unless(
        invoices.every((invoice) => invoice.total_cents === order.amount_cents),
        'unexplained',
        'has an invoice of another amount',
      ),
      ...unless(
        invoices.every((invoice) => invoice.tax_cents === gstOf(invoice.total_cents, taxPartOf(order))),
        'unexplained',
        'has an invoice with another GST',
      ),
      ...unless(
        messages.every((message) => message.sent_at && !message.sealed_body),
        messages.some((message) => message.refused_at) ? 'unexplained' : 'lost',
        'has an unsent message',
      ).map((fault) => (fault.kind === 'lost' ? fault : { ...fault, task: 'message' as const })),
      ...unless(order.password_hash === null, 'unexplained', 'still keeps a password'),
    ]
  }
}

/** The plan that an order paid for: the current one of a schedule, one that waits, or one that a later order has replaced. */
function plansCounted({ schedules, queuedPlans, orders }: OurBooks): (order: Order) => number {
  const present = byOrder(schedules)
  const queued = byOrder(queuedPlans)
  const followed = Map.groupBy(
    orders.filter(({ id, state }) => state === 'completed' && queued(id).length === 0),
    (order) => order.renews_order_id,
  )
  return ({ id }) => present(id).length + queued(id).length + (followed.get(id)?.length ?? 0)
}

export const taxPartOf = ({ currency }: Pick<Order, 'currency'>): readonly [number, number] =>
  (currency === markets.AU.currency ? markets.AU : markets.NZ).taxPart
