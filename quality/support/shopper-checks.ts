import { expect } from 'vitest'
import { realNow, toDate } from '#kit/server/clock.ts'
import { isReplacementTooLate, endStates, wasDelivered } from '#features/orders/orders.states.ts'
import { readCustomerSchedule, zone } from './auto-renewal.ts'
import { reconcile, isIdle } from './reconciliation.ts'
import type { Customer } from './customer.ts'
import { type PlanId, plans } from './order-commands.ts'
import { noFailures, type Model, type ModelPurchase } from './order-model.ts'
import { compareTransfer, applyDonorResponse } from './shopper-transfers.ts'
import { clearFailures, setNetworkEvents, setWebhookMode } from './simulators.ts'
import { pollUntil } from './poll-until.ts'
import type { World } from './world.ts'
import {
  firstPlanId,
  recordCancelledPlans,
  readOrderByCode,
  type ShoppingState,
  take,
  today,
} from './shopping-state.ts'

export async function calm(shopping: ShoppingState): Promise<void> {
  const { world, model } = shopping
  await setWebhookMode(world, { mode: 'normal', release: true })
  await setNetworkEvents(world, { mode: 'normal', release: true })
  // Have the losing provider decline an open transfer, because it would otherwise stay open. A declined transfer can be requested again.
  await applyDonorResponse(shopping, 'declined')
  await pollUntil(async () => (await isIdle(world)) || makeRetriesDue(shopping))
  await pollUntil(async () => (await isIdle(world)) || makeRetriesDue(shopping))
  await clearFailures(world)
  if (model.failures.drops) await deleteUnconfirmedRequests(world)
  if (model.failures.isLate) await deleteTasksLike(world, '%card gateway%172%')
  await compareWithModel(shopping)
  model.failures = noFailures
}

/**
 * Makes all retries due immediately, so that tests don't wait for back-off. After dropped notifications, uncertain payments are resolved
 * immediately, too, because no notification will arrive.
 */
async function makeRetriesDue({ world: { db }, model }: ShoppingState): Promise<false> {
  const now = toDate(realNow())
  await db
    .updateTable('orders')
    .set({ retry_at: now })
    .where('state', 'not in', [...endStates, 'held'])
    .where('retry_at', '>', now)
    .where('lease_until', 'is', null)
    .execute()
  await db.updateTable('refunds').set({ retry_at: now }).where('retry_at', '>', now).execute()
  if (model.failures.drops)
    await db
      .updateTable('payment_attempts')
      .set({ resolve_by: now })
      .where('state', '=', 'unknown')
      .where('psp_reference', 'is not', null)
      .execute()
  return false
}

/**
 * Removes the tasks about dropped notifications. Fantail creates them a day later, and they would affect later checks of this customer or
 * the next.
 */
async function deleteUnconfirmedRequests(world: World): Promise<void> {
  await world.db.deleteFrom('unconfirmed_calls').execute()
  await deleteTasksLike(world, '%never confirmed%')
}

const deleteTasksLike = ({ db }: World, like: string) =>
  db.deleteFrom('operator_tasks').where('reason', 'like', like).execute()

async function compareWithModel(shopping: ShoppingState): Promise<void> {
  const { world, service, model, since } = shopping
  const { db } = world
  const ledgers = await world.ledgers()
  expect(await reconcile(db, ledgers, since)).toEqual([])
  await recordCancelledPlans(shopping)
  await compareTransfer(shopping)
  for (const purchase of model.purchases) await comparePurchase(shopping, purchase, ledgers)
  const orders = await db
    .selectFrom('orders')
    .selectAll()
    .where('service_id', '=', service.id)
    .where('kind', '!=', 'activation')
    .orderBy('created_at')
    .execute()
  const byUs = orders.filter((order) => order.auto_renewal)
  expect(orders.filter((order) => !byUs.includes(order)).map((order) => order.order_code)).toEqual(
    model.purchases.filter(({ kind }) => kind !== 'activation').map(({ code }) => code),
  )
  for (const order of byUs) expect(order.amount_cents).toBe(plans[order.product_id as PlanId].rebill)
  const charges = byUs.filter(({ state }) => state === 'completed').map((order) => order.amount_cents)
  if (model.charged) expect(charges).toEqual(model.charged)
  model.charged = charges
  const life = await readCurrentPlan(shopping)
  if (model.life && life)
    expect({ ...life.life, ends: life.life.ends.toString() }).toEqual({
      ...model.life,
      ends: model.life.ends.toString(),
    })
  if (model.life && !life) expect(today(shopping).until(model.life.ends).days).toBeLessThanOrEqual(-50)
  model.waiting = life?.waits ? (model.purchases.find(({ code }) => code === life.waits) ?? null) : null
  model.life = life?.life ?? {
    product: firstPlanId,
    ends: today(shopping).subtract({ days: 60 }),
    auto: false,
    queued: null,
  }
}

async function comparePurchase(
  shopping: ShoppingState,
  purchase: ModelPurchase,
  { gateway }: Awaited<ReturnType<World['ledgers']>>,
): Promise<void> {
  const { world } = shopping
  const { state, amount_cents: amount, failure_code } = await readOrderByCode(shopping, purchase.code)
  if (state === 'cancelled' && isReplacementTooLate({ failure_code }))
    Object.assign(purchase, { isCancelled: true, isRefunded: purchase.price > 0 })
  expect(amount).toBe(purchase.price)
  // A held activation is waiting for its customer to try again, so it has neither succeeded nor failed.
  if (state === 'held') return expect(purchase).toMatchObject({ kind: 'activation', told: 'unknown', must: null })
  const isDelivered = wasDelivered(state)
  expect([purchase.code, state === 'cancelled']).toEqual([purchase.code, purchase.isCancelled])
  take(shopping, purchase, isDelivered ? 'through' : 'nothing')
  const lines = gateway.filter(({ reference }) => reference.startsWith(`${purchase.code}-`))
  const sum = (of: 'captured' | 'refunded') => lines.reduce((total, line) => total + line[of], 0)
  expect([purchase.code, sum('captured'), sum('refunded')]).toEqual([
    purchase.code,
    isDelivered ? purchase.price : 0,
    purchase.isRefunded ? purchase.price : 0,
  ])
  if (purchase.voucher)
    expect((await world.visitor().get(`/api/vouchers/${purchase.voucher}/`)).status).toBe(
      isDelivered && !purchase.isCancelled ? 412 : 200,
    )
}

async function readCurrentPlan({
  world: { db, deps },
  customer,
  service,
}: ShoppingState): Promise<{ life: NonNullable<Model['life']>; waits: string | null } | null> {
  const listedService = (await customer.visitor.get('/api/services/')).body[service.id]
  if (!listedService) return null
  const {
    product,
    next_plan: next,
    auto_recharge_enabled: auto,
  } = await readCustomerSchedule({
    customer: customer as Customer,
    service,
    expiry: deps.clock.now().toZonedDateTimeISO(zone),
  })
  const queuedPlan = next
    ? await db
        .selectFrom('queued_plans')
        .innerJoin('orders', 'orders.id', 'queued_plans.order_id')
        .select(['orders.product_id', 'orders.order_code'])
        .where('queued_plans.service_id', '=', service.id)
        .executeTakeFirstOrThrow()
    : null
  const ends = Temporal.Instant.from(listedService.expiry_date).toZonedDateTimeISO(zone).toPlainDate()
  return {
    life: {
      product: product.unique_id as PlanId,
      ends,
      auto,
      queued: (queuedPlan?.product_id as PlanId | undefined) ?? null,
    },
    waits: queuedPlan?.order_code ?? null,
  }
}
