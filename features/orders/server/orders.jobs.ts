import { sql } from 'kysely'
import { transact } from '#kit/server/db.ts'
import { fromDate } from '#kit/server/clock.ts'
import { dueBy } from '#kit/server/due.ts'
import { type JobDefinition, rowJob } from '#kit/server/jobs.ts'
import { retryUpkeep } from '#kit/server/retries.ts'
import type { Sweep, Upkeep } from '#kit/server/sweeps.ts'
import { advanceOrder } from './advance.ts'
import { findOrderOfOperation, namesOperation } from './operations.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import { cancelHeldOrder } from './orders.ts'
import { findHeldOrdersDue, nextOrderDue, reportOverdueOrders } from './orders-due.store.ts'
import { orderRetries } from './orders.store.ts'
import { wipeOldCards } from './payments.store.ts'
import { askAgain, runDueCalls } from './unconfirmed-calls.ts'
import { nextUnconfirmed, unconfirmedCallRetries } from './unconfirmed-calls.store.ts'

export const orderJobs = (deps: OrderDeps): JobDefinition[] => [
  rowJob(orderRetries, ({ key: orderId }) => advanceOrder(deps, orderId)),
  rowJob(unconfirmedCallRetries, ({ key: id }) => askAgain(deps, id)),
]

/** Finds what a crashed process left, what waits for its next try, and what has taken too long. */
export const orderUpkeep = (deps: OrderDeps): Upkeep[] => [
  retryUpkeep(deps, orderRetries),
  retryUpkeep(deps, unconfirmedCallRetries),
  { name: 'orders.overdue', everyMs: 60_000, run: () => transact(deps.db, reportOverdueOrders) },
  { name: 'payments.old-cards', everyMs: 60_000, run: () => wipeOldCards(deps.db) },
]

/** An order that waited a day for its customer to try again is taken back; what the gateway never confirmed is asked for, and told. */
export const orderSweeps = (deps: OrderDeps): Sweep[] => [
  {
    name: 'orders.retry-window',
    isDue: dueBy('orders', 'due_at', sql`state = 'held'`),
    async next() {
      const due = await nextOrderDue(deps.db)
      return due && fromDate(due)
    },
    async run(now) {
      for (const order of await findHeldOrdersDue(deps.db, now))
        await transact(deps.db, (trx) => cancelHeldOrder(trx, deps, order))
    },
  },
  {
    name: 'orders.unconfirmed',
    isDue: dueBy('unconfirmed_calls', 'due_at'),
    next: () => nextUnconfirmed(deps.db, deps.thresholds.onItsWayMs),
    run: (now) => runDueCalls(deps, now),
  },
]

/**
 * News of the network about one of our operations: look at its order now rather than later. That it is still at it is no news: by
 * itself it is read again soon. False when it is about none.
 */
export async function promptOrder(
  deps: OrderDeps,
  { externalId, state }: { externalId: string; state: string | null },
): Promise<boolean> {
  // Most of what it tells is that, which changes nothing: the order is not even looked up.
  const isUnderWay = state !== null && deps.isUnderWay(state)
  if (isUnderWay && namesOperation(externalId)) return true
  const found = await findOrderOfOperation(deps.db, externalId)
  if (!found) return false
  const { orderId, isOpen } = found
  if (isOpen && !isUnderWay) await deps.jobs.send(deps.db, orderRetries, orderId)
  return true
}
