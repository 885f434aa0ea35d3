import { isEndState } from '../orders.states.ts'
import type { OrderDeps } from './orders.deps.ts'
import { leaseOrder, releaseLease } from './order-leases.store.ts'
import { type Order, scheduleOrderRetry } from './orders.store.ts'
import type { StepResult } from './step-result.ts'
import { steps } from './order-steps.ts'

/** Milliseconds to wait after each try. The first waits are short, and a failing network is given more and more time. */
const retryDelaysMs = [400, 600, 1_000, 1_500, 2_000, 3_000, 5_000, 8_000, 15_000, 30_000, 60_000]
const computeRetryDelay = (tries: number): number => retryDelaysMs[Math.min(tries, retryDelaysMs.length - 1)] ?? 60_000

// Maximum steps per job run. No order has this many; the limit stops a bug from looping forever.
const maxSteps = 40

/**
 * Processes an order under a lease, so that two workers do not send the same request at once. If workers do overlap, the
 * operation ids and compare-and-set updates still ensure the correct outcome.
 */
export async function advanceOrder(deps: OrderDeps, orderId: string): Promise<void> {
  const orderLease = await leaseOrder(deps.db, orderId, deps.leaseSeconds)
  if (!orderLease) return
  let order: Order = orderLease.order
  try {
    for (let count = 0; count < maxSteps; count++) {
      const step = steps[order.state]
      if (!step) return
      const result: StepResult = await step(deps, order)
      if (result === 'stop') return
      if (result === 'wait') return await scheduleOrderRetry(deps.db, order, computeRetryDelay(order.tries) / 1_000)
      if (result !== 'again') {
        deps.log.info({ order: order.order_code, from: order.state, to: result.state }, 'order moved')
        order = result
      }
    }
  } finally {
    // The transition to a final state also removes the order's lease.
    if (!isEndState(order.state)) await releaseLease(deps.db, orderId, orderLease.token)
  }
}
