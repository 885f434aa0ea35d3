import type { Trx } from '#kit/server/db.ts'
import { type LockedService, lockServiceWithSchedule } from '#features/services/server/plan-life.store.ts'
import { purgeServiceReadings } from '#features/usage/server/readings.store.ts'
import type { OrderEvent } from '../orders.states.ts'
import { transitionOrder, type Order } from './orders.store.ts'
import { ownsService, serviceGoneCode } from './service-ownership.ts'

export async function deliverToService(
  trx: Trx,
  order: Order,
  event: OrderEvent,
  give: (locked: LockedService) => Promise<unknown> = async () => {},
): Promise<Order | null> {
  if (!order.service_id) throw new Error(`order ${order.order_code} is for no service`)
  // Normally a number is not released while an order for it is open. If that has happened anyway, reverse the order.
  if (!(await ownsService(trx, order))) return transitionOrder(trx, order, 'fail', { failure_code: serviceGoneCode })
  // Sequence of locks: the order first, then its service.
  const moved = await transitionOrder(trx, order, event)
  if (!moved) return null
  const lockedService = await lockServiceWithSchedule(trx, order.service_id)
  if (!lockedService) throw new Error(`the service of order ${order.order_code} disappeared during the delivery`)
  await give(lockedService)
  // Delete the cached usage, so that the next reading includes the purchase.
  await purgeServiceReadings(trx, lockedService.service.id)
  return moved
}
