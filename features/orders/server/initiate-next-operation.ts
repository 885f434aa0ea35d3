import type { Trx } from '#kit/server/db.ts'
import type { OrderEvent, OrderState } from '../orders.states.ts'
import { initiateOperation, type OperationKind } from './operations.store.ts'
import { moveOrder, type Order } from './orders.store.ts'

const operationByState: Partial<Record<OrderState, OperationKind>> = {
  activating_sim: 'activate_sim',
  adding_plan: 'add_plan',
  adding_addon: 'add_addon',
  cancelling: 'remove_plan',
}

export function operationFor(state: OrderState): OperationKind {
  const kind = operationByState[state]
  if (!kind) throw new Error(`an order in the state ${state} has no network operation`)
  return kind
}

export async function initiateNextOperation(
  trx: Trx,
  order: Order,
  event: OrderEvent,
  patch: Parameters<typeof moveOrder>[3] = {},
): Promise<Order | null> {
  const movedOrder = await moveOrder(trx, order, event, patch)
  if (movedOrder) await initiateOperation(trx, movedOrder, operationFor(movedOrder.state))
  return movedOrder
}
