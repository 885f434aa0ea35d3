import type { Cancellation, Order, OrderFault, PortState, State } from './state.ts'

/** States after the customer's Yes, in which the transfer can no longer be cancelled. */
const beyondReturn: readonly (PortState | null)[] = ['confirmed', 'inProgress']

const tooLate: OrderFault = { code: 'CANCEL_TOO_LATE', reason: 'The port is confirmed and can no longer be cancelled.' }
const orderOver: OrderFault = { code: 'ORDER_OVER', reason: 'The order is over.' }
const onRequest: OrderFault = { code: 'CANCELLED_ON_REQUEST', reason: 'The order was cancelled on request.' }

export function decide(state: State, cancellation: Cancellation, date: string): void {
  const order = state.orders.get(cancellation.orderId)!
  const fault = cancellation.imposed ?? whyNot(state, order)
  cancellation.endDate = date
  cancellation.fault = fault
  cancellation.state = fault ? 'terminatedWithError' : 'done'
  if (fault) return
  order.state = 'cancelled'
  order.portState = 'cancelled'
  order.milestones.push({ portState: 'cancelled', date, message: onRequest.reason })
  order.fault = { ...onRequest, date }
  order.endDate = date
  state.openOrders.delete(order)
}

function whyNot(state: State, order: Order): OrderFault | null {
  if (!state.openOrders.has(order)) return orderOver
  return beyondReturn.includes(order.portState) ? tooLate : null
}
