import type { Cancellation, Order, OrderFault, PortState, State } from './state.ts'

/** The states after the customer has confirmed a number transfer, when it can no longer be cancelled. */
const uncancellableStates: readonly (PortState | null)[] = ['confirmed', 'inProgress']

const tooLateFault: OrderFault = {
  code: 'CANCEL_TOO_LATE',
  reason: 'The port is confirmed and can no longer be cancelled.',
}
const orderEndedFault: OrderFault = { code: 'ORDER_OVER', reason: 'The order has already ended.' }
const cancelledOnRequestFault: OrderFault = {
  code: 'CANCELLED_ON_REQUEST',
  reason: 'The order was cancelled on request.',
}

export function decideCancellation(state: State, cancellation: Cancellation, date: string): void {
  const order = state.orders.get(cancellation.orderId)!
  const fault = cancellation.imposed ?? findCancellationFault(state, order)
  cancellation.endDate = date
  cancellation.fault = fault
  cancellation.state = fault ? 'terminatedWithError' : 'done'
  if (fault) return
  order.state = 'cancelled'
  order.portState = 'cancelled'
  order.milestones.push({ portState: 'cancelled', date, message: cancelledOnRequestFault.reason })
  order.fault = { ...cancelledOnRequestFault, date }
  order.endDate = date
  state.openOrders.delete(order)
}

function findCancellationFault(state: State, order: Order): OrderFault | null {
  if (!state.openOrders.has(order)) return orderEndedFault
  return uncancellableStates.includes(order.portState) ? tooLateFault : null
}
