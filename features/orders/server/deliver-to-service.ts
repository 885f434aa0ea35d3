import type { Trx } from '#kit/server/db.ts'
import { type LockedService, lockServiceWithSchedule } from '#features/services/server/plan-life.store.ts'
import { purgeReadingsOf } from '#features/usage/server/readings.store.ts'
import type { OrderEvent } from '../orders.states.ts'
import { moveOrder, type Order } from './orders.store.ts'
import { ownsService, serviceGone } from './service-ownership.ts'

/** Delivers what was bought for a service that is there. Null when another worker moved the order first. */
export async function deliverToService(
  trx: Trx,
  order: Order,
  event: OrderEvent,
  give: (locked: LockedService) => Promise<unknown> = async () => {},
): Promise<Order | null> {
  if (!order.service_id) throw new Error(`order ${order.order_code} is for no service`)
  // A number stays its customer's while the next plan is being paid for; should it be gone, this is taken back.
  if (!(await ownsService(trx, order))) return moveOrder(trx, order, 'fail', { failure_code: serviceGone })
  // The order first, then its service: everybody who needs both takes them like this.
  const moved = await moveOrder(trx, order, event)
  if (!moved) return null
  const locked = await lockServiceWithSchedule(trx, order.service_id)
  if (!locked) throw new Error(`the service of order ${order.order_code} went while it was delivered`)
  await give(locked)
  // The next look shows what was bought.
  await purgeReadingsOf(trx, locked.service.id)
  return moved
}
