import { gstOf } from '#kit/contract/money.ts'
import { markets } from '#kit/server/markets.ts'
import { isReplacementTooLate, wasDelivered } from '#features/orders/orders.states.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import { type Fault, type FindingKind, createFaultUnless } from './findings.ts'
import type { Ledgers } from './ledgers.ts'
import { groupByOrder, type ProductRecords } from './product-records.ts'

export const classifyCountMismatch = (found: number, wanted: number): FindingKind =>
  found < wanted ? 'lost' : wanted === 0 ? 'unexplained' : 'doubled'

const findCountFaults = (what: string, found: number, wanted: number): Fault[] =>
  createFaultUnless(found === wanted, classifyCountMismatch(found, wanted), `has ${found} ${what}`)

export const extractOrderCode = (id: string): string | null => /^[A-Z\d]+(?=-)/.exec(id)?.[0] ?? null

/**
 * Returns the rules for what the network has recorded about an order: one line and one plan per paid activation, one plan per renewal, and
 * one add-on per add-on order. There must be nothing on the network that was not paid for.
 */
export function createNetworkRules(books: ProductRecords, { network }: Ledgers): (order: Order) => Fault[] {
  const completed = network.filter(({ state }) => state === 'completed')
  const linesByOrderCode = Map.groupBy(completed, ({ external_id: id }) => extractOrderCode(id))
  const wasReleasedWithLine = createReleaseCheck(books, new Set(completed.map(({ external_id: id }) => id)))
  return (order) => {
    const lines = linesByOrderCode.get(order.order_code) ?? []
    const done = (action: string) => lines.filter((line) => line.action === action).length
    const isCompleted = order.state === 'completed'
    const expectedCounts = {
      lines: isCompleted && order.kind === 'activation' ? 1 : 0,
      plans: isCompleted && order.kind !== 'addon' ? 1 : 0,
      addons: isCompleted && order.kind === 'addon' ? 1 : 0,
    }
    const active = done('activate') - done('deactivate')
    const isNothingActive = wasReleasedWithLine(order) || (order.kind === 'activation' && active === 0)
    const plans = isNothingActive ? 0 : done('add_plan') - done('remove_plan')
    const addons = isNothingActive ? 0 : done('add_addon') - done('remove_addon')
    return [
      ...['activate', 'add_plan', 'add_addon'].flatMap((action) =>
        createFaultUnless(done(action) <= 1, 'doubled', `was carried out ${done(action)} times: ${action}`),
      ),
      ...findCountFaults('active lines', active, expectedCounts.lines),
      ...findCountFaults('plans', plans, expectedCounts.plans),
      ...findCountFaults('add-ons', addons, expectedCounts.addons),
    ]
  }
}

/**
 * Returns whether an order's plan or add-on disappeared along with its service's line, because the network had taken the line back. Fantail
 * then asked for it to be removed, but the network found nothing to remove and so has no record of the request.
 */
function createReleaseCheck(
  { operations, releases }: ProductRecords,
  completed: Set<string>,
): (order: Order) => boolean {
  const releasedServiceIds = new Set(
    releases.filter((row) => completed.has(row.external_id)).map((row) => row.service_id),
  )
  const getOperations = groupByOrder(operations)
  return (order) =>
    releasedServiceIds.has(order.service_id ?? '') &&
    getOperations(order.id).some(
      ({ kind, state, fault }) =>
        (kind === 'remove_plan' || kind === 'remove_addon') && state === 'completed' && fault !== null,
    )
}

const eventByKind = { activation: 'activation', recharge: 'renewal', addon: 'addon' } as const

export function createDeliveryRules(books: ProductRecords): (order: Order) => Fault[] {
  const getDocuments = groupByOrder(books.documents)
  const getServices = groupByOrder(books.services)
  const getSims = groupByOrder(books.sims)
  const getVouchers = groupByOrder(books.vouchers)
  const messagesByKey = Map.groupBy(books.messages, ({ event_key }) => event_key)
  const countPlans = createPlanCounter(books)

  return (order) => {
    const expectedCount = order.state === 'completed' ? 1 : 0
    const deliveredCount = wasDelivered(order.state) ? 1 : 0
    // An order that came too late to replace a queued plan is mentioned only in the email about its cancellation.
    const told = isReplacementTooLate(order) ? 0 : deliveredCount
    const expectedActivations = order.kind === 'activation' ? expectedCount : 0
    const invoices = getDocuments(order.id).filter(({ document_type }) => document_type === 'invoice')
    const messages = messagesByKey.get(`${eventByKind[order.kind]}:${order.id}`) ?? []
    const [services, sims, vouchers] = [getServices(order.id), getSims(order.id), getVouchers(order.id)]
    const plans = countPlans(order)
    const expectedPlanCount = order.kind === 'addon' ? 0 : expectedCount
    const expectedVoucherCount = order.voucher_id ? expectedCount : 0
    return [
      ...findCountFaults('invoices', invoices.length, deliveredCount),
      ...(books.forgotten.has(order.user_id ?? '') ? [] : findCountFaults('messages', messages.length, told)),
      ...findCountFaults('services', services.length, expectedActivations),
      ...findCountFaults('sims', sims.length, expectedActivations),
      ...findCountFaults('plans in our books', plans, expectedPlanCount),
      ...createFaultUnless(
        vouchers.length === expectedVoucherCount,
        expectedVoucherCount === 0 ? 'lost' : vouchers.length === 0 ? 'unexplained' : 'doubled',
        `holds ${vouchers.length} vouchers`,
      ),
      ...createFaultUnless(
        [...vouchers.map((row) => row.redeemed_at), ...sims.map((row) => row.activated_at)].every(Boolean),
        'unexplained',
        'holds what it has not used',
      ),
      ...createFaultUnless(
        invoices.every((invoice) => invoice.total_cents === order.amount_cents),
        'unexplained',
        'has an invoice of another amount',
      ),
      ...createFaultUnless(
        invoices.every((invoice) => invoice.tax_cents === gstOf(invoice.total_cents, getTaxFraction(order))),
        'unexplained',
        'has an invoice with another GST',
      ),
      ...createFaultUnless(
        messages.every((message) => message.sent_at && !message.sealed_body),
        messages.some((message) => message.refused_at) ? 'unexplained' : 'lost',
        'has an unsent message',
      ).map((fault) => (fault.kind === 'lost' ? fault : { ...fault, task: 'message' as const })),
      ...createFaultUnless(order.password_hash === null, 'unexplained', 'still keeps a password'),
    ]
  }
}

/**
 * Returns a function that counts an order's plans: a schedule's current plan, a waiting plan, or a plan that has been replaced by a later
 * order.
 */
function createPlanCounter({ schedules, queuedPlans, orders }: ProductRecords): (order: Order) => number {
  const getCurrentSchedules = groupByOrder(schedules)
  const getQueuedPlans = groupByOrder(queuedPlans)
  const renewalsByOrder = Map.groupBy(
    orders.filter(({ id, state }) => state === 'completed' && getQueuedPlans(id).length === 0),
    (order) => order.renews_order_id,
  )
  return ({ id }) => getCurrentSchedules(id).length + getQueuedPlans(id).length + (renewalsByOrder.get(id)?.length ?? 0)
}

export const getTaxFraction = ({ currency }: Pick<Order, 'currency'>): readonly [number, number] =>
  (currency === markets.AU.currency ? markets.AU : markets.NZ).taxPart
