import { operations } from './order-request.ts'
import type { Order } from './state.ts'

export const orderingBase = '/tmf-api/serviceOrdering/v4'

export function presentOrder(order: Order, origin: string) {
  const href = `${origin}${orderingBase}/serviceOrder/${order.id}`
  return {
    id: order.id,
    href,
    externalId: order.externalId ?? undefined,
    state: order.state,
    orderDate: new Date(order.acceptedOnClock).toISOString(),
    requestedStartDate: 'startsAt' in order.request ? (order.request.startsAt ?? undefined) : undefined,
    startDate: order.startDate ?? undefined,
    completionDate: order.state === 'cancelled' ? undefined : (order.endDate ?? undefined),
    cancellationDate: order.state === 'cancelled' ? order.endDate : undefined,
    serviceOrderItem: [presentItem(order)],
    milestone: order.milestones.map(({ portState, date, message }, index) => ({
      id: String(index + 1),
      name: portState,
      status: 'completed',
      milestoneDate: date,
      message: message ?? undefined,
      serviceOrderItem: [createItemReference(order, href)],
    })),
    errorMessage: presentErrors(order, href),
    '@type': 'ServiceOrder',
  }
}

function presentItem(order: Order) {
  const { action, specification } = operations[order.request.operation]
  return {
    id: order.itemId,
    action,
    state: order.state,
    service: { serviceSpecification: { id: specification }, serviceCharacteristic: presentCharacteristics(order) },
  }
}

function presentCharacteristics({ request, portState }: Order) {
  const { operation: _, ...asked } = request
  const shownCharacteristics = Object.entries(asked).filter(([name]) => name !== 'startsAt')
  if (portState) shownCharacteristics.push(['portInState', portState])
  return shownCharacteristics.map(([name, value]) => ({ name, value }))
}

/** Creates a reference to an order item. TMF641 calls the id `itemId` in v4.0 and `id` in v4.1. */
function createItemReference({ id, itemId }: Order, href: string) {
  return { id: itemId, itemId, serviceOrderId: id, serviceOrderHref: href }
}

function presentErrors(order: Order, href: string) {
  if (!order.fault) return []
  const { code, reason, date } = order.fault
  return [{ code, reason, message: reason, timestamp: date, serviceOrderItem: [createItemReference(order, href)] }]
}
