import type { Db, Trx } from '#kit/server/db.ts'
import { findServiceSchedule } from '#features/services/server/plan-life.store.ts'
import { planHasBegunCode } from '../orders.states.ts'
import type { Order } from './orders.store.ts'
import { ownsService, serviceGoneCode } from './service-ownership.ts'

export const planBeganMessage =
  'Your next Prepay Plan has already started, so it was not changed. We’ll refund anything you were charged.'

export async function findReasonNotToDeliver(db: Db | Trx, order: Order): Promise<string | null> {
  if (!(await ownsService(db, order))) return serviceGoneCode
  return (await hasPlanBegun(db, order)) ? planHasBegunCode : null
}

export async function hasPlanBegun(db: Db | Trx, order: Order): Promise<boolean> {
  if (!order.instead_of_order_id || !order.service_id) return false
  return (await findServiceSchedule(db, order.service_id))?.orderId !== order.renews_order_id
}
