import type { Db, Trx } from '#kit/server/db.ts'
import { findService } from '#features/services/server/services.store.ts'
import type { Order } from './orders.store.ts'

export async function ownsService(db: Db | Trx, order: Order): Promise<boolean> {
  const service = order.service_id ? await findService(db, order.service_id) : undefined
  return service !== undefined && !service.released_at && service.user_id === order.user_id
}

export const serviceGoneCode = 'service_gone'
