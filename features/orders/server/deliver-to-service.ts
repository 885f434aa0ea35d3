import type { Trx } from '#kit/server/db.ts'
import { type LockedService, lockServiceWithSchedule } from '#features/services/server/plan-life.store.ts'
import { purgeReadingsOf } from '#features/usage/server/readings.store.ts'
import type { OrderEvent } from '../orders.states.ts'
import { moveOrder, type Order } from './orders.store.ts'
import { ownsService, serviceGoneCode } from './service-ownership.ts'

export async function deliverToService(
  trx: Trx,
  order: Order,
  event: OrderEvent,
  give: (locked: LockedService) => Promise<unknown> = async () => {},
): Promise<Order | null> {
  if (!order.service_id) throw new Error(`order ${order.order_code} is for no service`)
  // A number stays with its customer while the next plan is being paid for. If the number was released anyway, the
  // order is reversed.
  if (!(await ownsService(trx, order))) return moveOrder(trx, order, 'fail', { failure_code: serviceGoneCode })
  // Lock order: the order, then its service, in every transaction that needs both.
  const moved = await moveOrder(trx, order, event)
  if (!moved) return null
  const locked = await lockServiceWithSchedule(trx, order.service_id)
  if (!locked) throw new Error(`the service of order ${order.order_code} went while it was delivered`)
  await give(locked)
  // The next read of the usage must include the purchase.
  await purgeReadingsOf(trx, locked.service.id)
  return moved
}
