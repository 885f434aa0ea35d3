import { transact } from '#kit/server/db.ts'
import { intendOperation, operationsOf } from './operations.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import { advanceOrderJob } from './orders.queue.ts'
import { moveOrder, type Order } from './orders.store.ts'

/** Runs an order on that the network failed: the same order and payment, a new operation where the last one ended. */
export async function retryOrder(deps: OrderDeps, order: Order): Promise<void> {
  await transact(deps.db, async (trx) => {
    const active = (await operationsOf(trx, order.id)).some((operation) => operation.kind === 'activate_sim' && operation.state === 'completed')
    const moved = await moveOrder(trx, order, active ? 'retry_plan' : 'retry_sim', { failure_code: null })
    if (!moved) return
    await intendOperation(trx, moved, active ? 'add_plan' : 'activate_sim')
    await deps.jobs.send(trx, advanceOrderJob, { orderId: order.id })
  })
}
