import type { OrderDeps } from './orders.deps.ts'
import type { Order } from './orders.store.ts'

/**
 * A step's result: the updated order, `again` if the same order needs more work, `wait` to try again later, or `stop` if
 * this worker has nothing left to do.
 */
export type StepResult = Order | 'again' | 'wait' | 'stop'

export type Step = (deps: OrderDeps, order: Order) => Promise<StepResult>
