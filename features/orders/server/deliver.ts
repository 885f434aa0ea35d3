import { randomUUID } from 'node:crypto'
import { fromDate } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import { setFirstContactService } from '#features/auth/server/users.store.ts'
import { requestPort } from '#features/porting/server/porting.ts'
import { lockPlan } from '#features/services/server/plan-life.store.ts'
import { startService, takeNextPlan } from '#features/services/server/services.ts'
import { forgetReadingsOf } from '#features/usage/server/readings.store.ts'
import type { OrderEvent } from '../orders.states.ts'
import type { OrderDeps } from './orders.deps.ts'
import { moveOrder, type Order } from './orders.store.ts'
import { gone, isStillTheirs } from './still-theirs.ts'

/** The network has it and the money is taken: from here on it is the customer's. */
export async function deliver(trx: Trx, deps: OrderDeps, order: Order, event: OrderEvent): Promise<Order | null> {
  if (order.kind === 'activation') return deliverService(trx, deps, order, event)
  if (!order.service_id) throw new Error(`order ${order.order_code} is for no service`)
  // A number stays its customer's while the next plan is being paid for; should it be gone, this is taken back.
  if (!(await isStillTheirs(trx, order))) return moveOrder(trx, order, 'fail', { failure_code: gone })
  // The order first, then its service: everybody who needs both takes them like this.
  const moved = await moveOrder(trx, order, event)
  if (!moved) return null
  const held = await lockPlan(trx, order.service_id)
  if (!held) throw new Error(`the service of order ${order.order_code} went while it was delivered`)
  if (order.kind === 'recharge') {
    await takeNextPlan(trx, deps, held, { orderId: order.id, product: order.product, startsAt: order.starts_at && fromDate(order.starts_at) })
  }
  // The next look shows what was bought.
  await forgetReadingsOf(trx, held.service.id)
  return moved
}

async function deliverService(trx: Trx, deps: OrderDeps, order: Order, event: OrderEvent): Promise<Order | null> {
  const serviceId = randomUUID()
  const moved = await moveOrder(trx, order, event, { service_id: serviceId })
  if (!moved) return null
  if (!moved.user_id) throw new Error(`order ${order.order_code} has no customer`)
  await startService(trx, deps, { id: serviceId, userId: moved.user_id, orderId: order.id, iccid: order.iccid, msisdn: order.msisdn, product: order.product })
  await setFirstContactService(trx, { id: moved.user_id, madeByOrder: order.id }, serviceId)
  if (order.porting) await requestPort(trx, { serviceId, orderId: order.id, orderCode: order.order_code, form: order.porting }, deps.clock.now())
  return moved
}
