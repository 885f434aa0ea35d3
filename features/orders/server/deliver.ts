import { randomUUID } from 'node:crypto'
import type { Trx } from '#kit/server/db.ts'
import { setFirstContactService } from '#features/auth/server/users.store.ts'
import { requestPort } from '#features/porting/server/porting.ts'
import { startService } from '#features/services/server/services.ts'
import type { OrderEvent } from '../orders.states.ts'
import type { OrderDeps } from './orders.deps.ts'
import { moveOrder, type Order } from './orders.store.ts'

/** The network has it and the money is taken: from here on the service is the customer's. */
export async function deliver(trx: Trx, deps: OrderDeps, order: Order, event: OrderEvent): Promise<Order | null> {
  const serviceId = randomUUID()
  const moved = await moveOrder(trx, order, event, { service_id: serviceId })
  if (!moved) return null
  if (!moved.user_id) throw new Error(`order ${order.order_code} has no customer`)
  await startService(trx, deps, { id: serviceId, userId: moved.user_id, orderId: order.id, iccid: order.iccid, msisdn: order.msisdn, product: order.product })
  await setFirstContactService(trx, { id: moved.user_id, madeByOrder: order.id }, serviceId)
  if (order.porting) await requestPort(trx, { serviceId, orderId: order.id, orderCode: order.order_code, form: order.porting }, deps.clock.now())
  return moved
}
