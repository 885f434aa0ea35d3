import type { OrderDeps } from './orders.deps.ts'
import type { Order } from './orders.store.ts'

/** What a step leaves: the order moved on, the same order with more to do, a wait, or nothing for this worker. */
export type StepResult = Order | 'again' | 'wait' | 'stop'

export type Step = (deps: OrderDeps, order: Order) => Promise<StepResult>
