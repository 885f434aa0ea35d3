import { isOver } from '../orders.states.ts'
import type { OrderDeps } from './orders.deps.ts'
import { leaseOrder, releaseLease } from './order-leases.store.ts'
import { type Order, retryOrderIn } from './orders.store.ts'
import type { StepResult } from './step.ts'
import { steps } from './steps.ts'

/** Polls of a service order come quickly at first; faults of the network are given ever more time. */
const waits = [400, 600, 1_000, 1_500, 2_000, 3_000, 5_000, 8_000, 15_000, 30_000, 60_000]
const waitAfter = (tries: number): number => waits[Math.min(tries, waits.length - 1)] ?? 60_000

// More steps than any order has: a loop that does not end is a defect, not a reason to hold the worker.
const mostSteps = 40

/**
 * Moves an order as far as it goes: the worker's whole job. It holds a lease so that two workers do not ask
 * the same thing at once; what keeps the outcome right if they do are the operation ids and the compare-and-set.
 */
export async function advanceOrder(deps: OrderDeps, orderId: string): Promise<void> {
  const lease = await leaseOrder(deps.db, orderId, deps.leaseSeconds)
  if (!lease) return
  let order: Order = lease.order
  try {
    for (let count = 0; count < mostSteps; count++) {
      const step = steps[order.state]
      if (!step) return
      const result: StepResult = await step(deps, order)
      if (result === 'stop') return
      if (result === 'wait') return await retryOrderIn(deps.db, order, waitAfter(order.tries) / 1_000)
      if (result !== 'again') {
        deps.log.info({ order: order.order_code, from: order.state, to: result.state }, 'order moved')
        order = result
      }
    }
  } finally {
    // One that is over is leased no more.
    if (!isOver(order.state)) await releaseLease(deps.db, orderId, lease.token)
  }
}
