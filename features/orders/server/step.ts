import type { OrderDeps } from './orders.deps.ts'
import type { Order } from './orders.store.ts'

/**
 * The result of a step: the updated order, `again` if there is more work on the same order, `wait` to try later, or
 * `stop` if this worker has nothing left to do.
 */
export type StepResult = Order | 'again' | 'wait' | 'stop'

export type Step = (deps: OrderDeps, order: Order) => Promise<StepResult>
