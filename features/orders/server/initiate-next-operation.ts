import type { Trx } from '#kit/server/db.ts'
import type { OrderEvent, OrderState } from '../orders.states.ts'
import { initiateOperation, type OperationKind } from './operations.store.ts'
import { transitionOrder, type Order } from './orders.store.ts'

const operationByState: Partial<Record<OrderState, OperationKind>> = {
  activating_sim: 'activate_sim',
  adding_plan: 'add_plan',
  adding_addon: 'add_addon',
  cancelling: 'remove_plan',
}

export function getOperationForState(state: OrderState): OperationKind {
  const kind = operationByState[state]
  if (!kind) throw new Error(`an order in the state ${state} has no network operation`)
  return kind
}

export async function initiateNextOperation(
  trx: Trx,
  order: Order,
  event: OrderEvent,
  patch: Parameters<typeof transitionOrder>[3] = {},
): Promise<Order | null> {
  const updatedOrder = await transitionOrder(trx, order, event, patch)
  if (updatedOrder) await initiateOperation(trx, updatedOrder, getOperationForState(updatedOrder.state))
  return updatedOrder
}
