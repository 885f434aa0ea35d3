import type { Trx } from '#kit/server/db.ts'
import type { OrderEvent } from '../orders.states.ts'
import { initiateOperation, type OperationKind } from './operations.store.ts'
import { moveOrder, type Order } from './orders.store.ts'

/** The next thing to ask of the network, written down in the transaction that makes it due. */
export async function moveAndInitiate(
  trx: Trx,
  order: Order,
  event: OrderEvent,
  kind: OperationKind,
  patch: Parameters<typeof moveOrder>[3] = {},
): Promise<Order | null> {
  const moved = await moveOrder(trx, order, event, patch)
  if (moved) await initiateOperation(trx, moved, kind)
  return moved
}
