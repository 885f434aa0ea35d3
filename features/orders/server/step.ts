import type { OrderDeps } from './orders.deps.ts'
import type { Order } from './orders.store.ts'

/**
 * The result of a step: the moved order, `again` for more work on the same order, `wait`, or `stop` when this worker
 * has nothing to do.
 */
export type StepResult = Order | 'again' | 'wait' | 'stop'

export type Step = (deps: OrderDeps, order: Order) => Promise<StepResult>
