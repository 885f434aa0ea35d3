import { isReplacementTooLate, wasDelivered } from '#features/orders/orders.states.ts'
import { type Fault, type Finding, createFaultUnless } from '#quality/support/findings.ts'
import { groupByOrder, type ProductRecords } from '#quality/support/product-records.ts'
import { createServiceOrderCodeFinder } from '#quality/support/reconcile-services.ts'

export const auditPlans = (books: ProductRecords, since: Date): Finding[] => [
  ...findQueuedPlanFaults(books),
  ...findDoublePaidCycles(books),
  ...findWrongPlanChanges(books),
  ...findMissingNumbers(books, since),
]

function findQueuedPlanFaults(books: ProductRecords): Finding[] {
  const orders = new Map(books.orders.map((order) => [order.id, order]))
  return books.queuedPlans.flatMap(({ service_id: service, order_id: id, starts_at: startsAt }) => {
    const order = orders.get(id)
    const faults = [
      ...createFaultUnless(order?.state === 'completed', 'unexplained', `waits, and its order is ${order?.state}`),
      ...createFaultUnless(order?.service_id === service, 'unexplained', 'waits for another service than its own'),
      ...createFaultUnless(
        order?.starts_at?.getTime() === startsAt.getTime(),
        'unexplained',
        `is to begin at ${startsAt.toISOString()}, and was bought for ${order?.starts_at?.toISOString() ?? 'now'}`,
      ),
    ]
    return about(order?.order_code ?? null, 'the next plan', faults)
  })
}

function findDoublePaidCycles({ orders }: ProductRecords): Finding[] {
  const renewals = orders
    .filter((order) => order.kind === 'recharge' && order.state === 'completed' && order.renews_order_id !== null)
    .toSorted((one, other) => +one.created_at - +other.created_at)
  return [...Map.groupBy(renewals, (order) => `${order.schedule_id} ${order.renews_order_id}`).values()].flatMap(
    (same) =>
      same.slice(1).map(({ order_code: code }) => ({
        kind: 'doubled' as const,
        order_code: code,
        text: `${code} renews a plan that ${same[0]?.order_code} has already renewed`,
      })),
  )
}

function findWrongPlanChanges({ orders }: ProductRecords): Finding[] {
  const byId = new Map(orders.map((order) => [order.id, order]))
  return orders.flatMap((order) => {
    const old = byId.get(order.instead_of_order_id ?? '')
    if (!old || !wasDelivered(order.state) || isReplacementTooLate(order)) return []
    const isCancelled = old.state === 'cancelling' || old.state === 'cancelled'
    const text = `gave its place to ${order.order_code}, and is ${old.state}`
    return about(old.order_code, old.order_code, createFaultUnless(isCancelled, 'doubled', text))
  })
}

function findMissingNumbers(books: ProductRecords, since: Date): Finding[] {
  const { orders, ports, services, sims } = books
  const getPorts = groupByOrder(ports)
  const asked = orders.filter(
    ({ created_at: at, state, porting }) => at >= since && state === 'completed' && porting !== null,
  )
  const findOrderCode = createServiceOrderCodeFinder(books)
  const packs = new Map(sims.map(({ iccid, msisdn }) => [iccid, msisdn]))
  const completedPortsByService = Map.groupBy(
    ports.filter(({ status }) => status === 'COMPLETED'),
    (port) => port.service_id,
  )
  return [
    ...asked.flatMap(({ id, order_code: code, state }) =>
      about(
        code,
        `${code} (${state})`,
        createFaultUnless(getPorts(id).length > 0, 'lost', 'was to bring a number, and does not'),
      ),
    ),
    ...services
      .filter(({ released_at: released, created_at: at }) => released === null && at >= since)
      .flatMap(({ id, msisdn, iccid }) => {
        const came = (completedPortsByService.get(id) ?? []).toSorted(
          (one, other) => +(one.ended_at ?? 0) - +(other.ended_at ?? 0),
        )
        const own = came.at(-1)?.msisdn ?? packs.get(iccid)
        return about(
          findOrderCode(id),
          `service ${id}`,
          createFaultUnless(
            own === undefined || msisdn === own,
            'lost',
            `is to have the number ${own}, and has ${msisdn}`,
          ),
        )
      }),
  ]
}

const about = (order_code: string | null, what: string, faults: Fault[]): Finding[] =>
  faults.map(({ kind, text }) => ({ kind, order_code, text: `${what} ${text}` }))
