import type { Network } from './network.ts'
import { isEndState, type Cancellation, type Order } from './state.ts'

// A timer's maximum delay in milliseconds. Longer waits use several timers in a row.
const maxTimerMs = 2 ** 31 - 1

export type OrderProgress = {
  follow(order: Order): void
  followCancellation(cancellation: Cancellation): void
  /** Makes all order changes that are due, and then returns. Called at startup and after the clock has been moved. */
  catchUp(): void
  stop(): void
}

export function createOrderProgress(
  network: Network,
  moved: (order: Order, before: Pick<Order, 'state' | 'portState'>) => void,
): OrderProgress {
  const timers = new Map<Order | Cancellation, NodeJS.Timeout>()

  function scheduleNextChange(order: Order): void {
    clearTimeout(timers.get(order))
    timers.delete(order)
    for (;;) {
      const wait = msUntilNextChange(network, order)
      if (wait === null) return
      if (wait > 0) {
        timers.set(order, setTimeout(scheduleNextChange, Math.min(wait, maxTimerMs), order))
        return
      }
      const { state, portState } = order
      network.record({ type: 'order_moved', orderId: order.id, at: new Date(network.now()).toISOString() })
      moved(order, { state, portState })
    }
  }

  function followCancellation(cancellation: Cancellation): void {
    clearTimeout(timers.get(cancellation))
    timers.delete(cancellation)
    if (cancellation.state !== 'accepted') return
    const wait = cancellation.acceptedAt + cancellation.afterMs - Date.now()
    if (wait > 0) {
      timers.set(cancellation, setTimeout(followCancellation, wait, cancellation))
      return
    }
    const order = network.state.orders.get(cancellation.orderId)!
    const { state, portState } = order
    network.record({ type: 'cancel_decided', id: cancellation.id, at: new Date(network.now()).toISOString() })
    moved(order, { state, portState })
  }

  return {
    follow: scheduleNextChange,
    followCancellation,
    catchUp() {
      ;[...network.state.openOrders].forEach(scheduleNextChange)
      network.state.cancellations.forEach(followCancellation)
    },
    stop: () => timers.forEach((timer) => clearTimeout(timer)),
  }
}

/** Returns the milliseconds until an order's next change, or `null` if the order will not change again. */
function msUntilNextChange(network: Network, order: Order): number | null {
  const next = order.timeline[order.happened]
  // A cancelled order still has future states in its timeline, but they must never take effect.
  if (!next || isEndState(order.state)) return null
  const real = order.acceptedAt + next.afterMs - Date.now()
  if (next.afterClockMs === null) return real
  return Math.min(real, order.acceptedOnClock + next.afterClockMs - network.now())
}
