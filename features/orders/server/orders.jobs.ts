import { sql } from 'kysely'
import { transact } from '#kit/server/db.ts'
import { fromDate } from '#kit/server/clock.ts'
import { isDueByApplicationClock } from '#kit/server/due-conditions.ts'
import { type JobDefinition, createRowJob } from '#kit/server/jobs.ts'
import { pollDueRows } from '#kit/server/retry-queue.ts'
import type { Sweep, Upkeep } from '#kit/server/sweeps.ts'
import { advanceOrder } from './advance-order.ts'
import { findOrderOfOperation, isOperationId } from './operations.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import { cancelHeldOrder } from './orders.ts'
import { listDueHeldOrders, findNextOrderDue, reportOverdueOrders } from './due-orders.store.ts'
import { orderQueue } from './orders.store.ts'
import { wipeOldCards } from './payments.store.ts'
import { repeatGatewayRequest, processDueRequests } from './unconfirmed-requests.ts'
import { findNextUnconfirmedRequest, unconfirmedRequestQueue } from './unconfirmed-requests.store.ts'

export const orderJobs = (deps: OrderDeps): JobDefinition[] => [
  createRowJob(orderQueue, ({ key: orderId }) => advanceOrder(deps, orderId)),
  createRowJob(unconfirmedRequestQueue, ({ key: id }) => repeatGatewayRequest(deps, id)),
]

export const orderUpkeep = (deps: OrderDeps): Upkeep[] => [
  pollDueRows(deps, orderQueue),
  pollDueRows(deps, unconfirmedRequestQueue),
  { name: 'orders.overdue', everyMs: 60_000, run: () => transact(deps.db, reportOverdueOrders) },
  { name: 'payments.old-cards', everyMs: 60_000, run: () => wipeOldCards(deps.db) },
]

export const orderSweeps = (deps: OrderDeps): Sweep[] => [
  {
    name: 'orders.retry-window',
    isDue: isDueByApplicationClock('orders', 'due_at', sql`state = 'held'`),
    async next() {
      const nextDueAt = await findNextOrderDue(deps.db)
      return nextDueAt && fromDate(nextDueAt)
    },
    async run(now) {
      for (const order of await listDueHeldOrders(deps.db, now))
        await transact(deps.db, (trx) => cancelHeldOrder(trx, deps, order))
    },
  },
  {
    name: 'orders.unconfirmed',
    isDue: isDueByApplicationClock('unconfirmed_calls', 'due_at'),
    next: () => findNextUnconfirmedRequest(deps.db, deps.thresholds.notificationTransitMs),
    run: (now) => processDueRequests(deps, now),
  },
]

/**
 * Handles a network event about one of our operations by advancing its order immediately. Events that only report progress
 * are ignored, because the order will be polled soon anyway. Returns false if the operation is unknown; for a progress
 * event, only the id's format is checked.
 */
export async function handleNetworkEvent(
  deps: OrderDeps,
  { externalId, state }: { externalId: string; state: string | null },
): Promise<boolean> {
  // Most network events only report progress, so respond to them without reading the order.
  const isOperationRunning = state !== null && deps.isUnderWay(state)
  if (isOperationRunning && isOperationId(externalId)) return true
  const operationOrder = await findOrderOfOperation(deps.db, externalId)
  if (!operationOrder) return false
  const { orderId, isOpen } = operationOrder
  if (isOpen && !isOperationRunning) await deps.jobs.send(deps.db, orderQueue, orderId)
  return true
}
