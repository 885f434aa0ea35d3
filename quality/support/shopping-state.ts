import { expect } from 'vitest'
import { fromDate } from '#kit/server/clock.ts'
import { zone } from './auto-renewal.ts'
import type { Customer, CustomerService } from './customer.ts'
import type { PlanId, PurchaseCommand } from './order-commands.ts'
import { type Model, type ModelPurchase, applyRenewal } from './order-model.ts'
import type { World } from './world.ts'

export type ShoppingState = {
  world: World
  customer: Customer
  service: CustomerService
  model: Model
  since: Date
  last: { press: PurchaseCommand; key: string; voucher: string | null; insteadOf: string | null } | null
}

export const firstPlanId: PlanId = 'plan-7-500mb'

export const today = ({ world }: ShoppingState): Temporal.PlainDate =>
  world.deps.clock.now().toZonedDateTimeISO(zone).toPlainDate()

export const readOrderByCode = ({ world }: ShoppingState, code: string) =>
  world.db.selectFrom('orders').selectAll().where('order_code', '=', code).executeTakeFirstOrThrow()
export const readOrderByKey = ({ world }: ShoppingState, key: string) =>
  world.db.selectFrom('orders').selectAll().where('idempotency_key', '=', key).executeTakeFirst()

/**
 * Marks the current plan as unknown. Which of several simultaneous operations finished first can only be told once no work is in progress.
 */
export function clearModelPlan(model: Model): void {
  model.life = null
  model.charged = null
}

export async function recordCancelledPlans({ world: { db }, service, model }: ShoppingState): Promise<void> {
  const rows = await db
    .selectFrom('cancelled_plans')
    .innerJoin('orders', 'orders.id', 'cancelled_plans.order_id')
    .select(['order_code', 'cancelled_at'])
    .where('cancelled_plans.service_id', '=', service.id)
    .execute()
  for (const { order_code: code, cancelled_at: at } of rows) {
    const purchase = model.purchases.find((one) => one.code === code)
    if (!purchase || purchase.isCancelled) continue
    Object.assign(purchase, { isCancelled: true, isRefunded: purchase.price > 0 })
    model.cancelled.push(fromDate(at).toZonedDateTimeISO(zone).toPlainDate())
    if (model.waiting?.code !== code) continue
    if (model.life) model.life.queued = null
    model.waiting = null
  }
}

export function take(shopping: ShoppingState, purchase: ModelPurchase, told: 'through' | 'nothing'): void {
  const { model } = shopping
  if (purchase.must) expect([purchase.code, told]).toEqual([purchase.code, purchase.must])
  if (purchase.told !== 'unknown') return expect(told).toBe(purchase.told)
  Object.assign(purchase, { told, must: told })
  if (purchase.kind === 'recharge' && purchase.plan && told === 'through')
    applyRenewal(model, { ...purchase, plan: purchase.plan }, today(shopping))
}
