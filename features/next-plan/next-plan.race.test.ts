import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { theSystem } from '#kit/server/actor.ts'
import { planCancelled } from '#features/orders/server/order-events.store.ts'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import { runDueDeadlines } from '#features/services/server/plan-life.ts'
import { chargesOf, lastDay, switchAutoRenewal, runAutoRenewal } from '#quality/support/auto-renewal.ts'
import {
  aNextPlan,
  cancel,
  nextOf,
  none,
  orderOf,
  refunded,
  sentences,
  type Waiting,
} from '#quality/support/next-plan.ts'
import { renew } from '#quality/support/purchases.ts'
import { faultsWhenQuiet } from '#quality/support/reconciliation.ts'
import { failNetwork, networkStory, setWebhooks } from '#quality/support/simulators.ts'
import { until } from '#quality/support/until.ts'
import { useWorld } from '#quality/support/world.ts'
import { cancelPlanByOperator } from './server/next-plan.ts'

const world = useWorld({ env: { LEASE_SECONDS: '1' } })
beforeEach(() => setWebhooks(world(), { mode: 'normal' }))

const removed = ['add_plan completed', 'remove_plan completed']

async function expectCancelled({ orderCode }: Waiting): Promise<void> {
  await until(async () => (await refunded(world(), orderCode)) > 0)
  expect([(await orderOf(world(), orderCode)).state, await refunded(world(), orderCode)]).toEqual(['cancelled', 3600])
  expect(await networkStory(world(), orderCode)).toEqual(removed)
  const refunds = () =>
    world()
      .db.selectFrom('refunds')
      .innerJoin('orders', 'orders.id', 'refunds.order_id')
      .select('refunds.state')
      .where('order_code', '=', orderCode)
      .execute()
  await until(async () => (await refunds()).every(({ state }) => state === 'received'))
  expect(await refunds()).toHaveLength(1)
}

const cancelByOperator = async ({ orderCode }: Waiting) =>
  cancelPlanByOperator(world().deps, await orderOf(world(), orderCode), { by: 'operator', name: 'Hine' })

const planOf = ({ service }: Waiting) =>
  world()
    .db.selectFrom('schedules')
    .innerJoin('orders', 'orders.id', 'schedules.order_id')
    .select('orders.order_code')
    .where('schedules.service_id', '=', service.id)
    .executeTakeFirstOrThrow()

test('twenty concurrent cancellations cancel a next plan once, and all succeed', async () => {
  const waiting = await aNextPlan(world())
  const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(waiting)))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  await expectCancelled(waiting)
})

test('twenty concurrent cancellations of a voucher’s plan make its code valid for a single plan', async () => {
  const voucher = await world().newVoucher('plan-30-15gb')
  const waiting = await aNextPlan(world(), { voucher })
  const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(waiting)))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(await networkStory(world(), waiting.orderCode)).toEqual(removed)
  const again = await Promise.all([1, 2, 3].map(() => waiting.buy()))
  expect(again.filter(({ status }) => status === 200)).toHaveLength(1)
})

describe('a cancellation and the start of the plan at the same time', () => {
  test.each([0, 0, 5, 15, 40, 100])(
    'a cancellation that races with a next plan’s start leaves it started or refunded, not both (%i ms ahead)',
    async (ahead) => {
      const waiting = await aNextPlan(world())
      const end = waiting.expiry.toInstant()
      const sweep = () => runDueDeadlines(world().deps, end)
      const [answer] = await Promise.all([
        pause(ahead).then(() => cancel(waiting)),
        sweep(),
        pause(10).then(sweep),
        sweep(),
      ])
      await sweep()
      const { order_code: runs } = await planOf(waiting)
      if (answer.status === 200) await expectCancelled(waiting)
      const began = answer.status === 400
      expect([runs === waiting.orderCode, sentences(answer) ?? [none]]).toEqual([began, [none]])
      expect(await refunded(world(), waiting.orderCode)).toBe(began ? 0 : 3600)
      expect(await networkStory(world(), waiting.orderCode)).toEqual(began ? ['add_plan completed'] : removed)
      expect(await nextOf(waiting)).toBeNull()
    },
  )
})

describe('staff cancel a next plan', () => {
  test.each([0, 0, 5, 15, 40])(
    'a next plan that staff and customer cancel at once is cancelled and refunded once (%i ms apart)',
    async (apart) => {
      const waiting = await aNextPlan(world())
      const [answer, ...whyNots] = await Promise.all([
        pause(5).then(() => cancel(waiting)),
        cancelByOperator(waiting),
        pause(apart).then(() => cancelByOperator(waiting)),
      ])
      expect(answer.status).toBe(200)
      const byStaff = whyNots.filter((why) => why === null).length
      expect(whyNots.filter((why) => why !== null)).toEqual(Array(2 - byStaff).fill(none))
      const { id } = await orderOf(world(), waiting.orderCode)
      const cancellations = await world()
        .db.selectFrom('order_events')
        .select('actor')
        .where('order_id', '=', id)
        .where('name', '=', planCancelled)
        .execute()
      expect(cancellations).toEqual([{ actor: byStaff === 1 ? 'operator:Hine' : null }])
      await expectCancelled(waiting)
    },
  )

  test.each([0, 0, 5, 15, 40, 100])(
    'staff cancelling a plan while it starts leaves it started or refunded, not both (%i ms apart)',
    async (apart) => {
      const waiting = await aNextPlan(world())
      const sweep = () => runDueDeadlines(world().deps, waiting.expiry.toInstant())
      const [whyNot] = await Promise.all([
        pause(apart).then(() => cancelByOperator(waiting)),
        sweep(),
        pause(10).then(sweep),
        sweep(),
      ])
      await sweep()
      if (whyNot === null) await expectCancelled(waiting)
      const { order_code: runs } = await planOf(waiting)
      const hasStarted = whyNot === none
      expect([whyNot, runs === waiting.orderCode]).toEqual([hasStarted ? none : null, hasStarted])
      expect(await refunded(world(), waiting.orderCode)).toBe(hasStarted ? 0 : 3600)
      expect(await networkStory(world(), waiting.orderCode)).toEqual(hasStarted ? ['add_plan completed'] : removed)
      expect(await nextOf(waiting)).toBeNull()
    },
  )
})

describe('a cancellation and auto-renewal at the same time', () => {
  test.each([0, 5, 20, 60])(
    'a cancellation that races with auto-renewal leads to a single charge after it (%i ms ahead)',
    async (ahead) => {
      const waiting = await aNextPlan(world())
      await switchAutoRenewal(waiting, 'PUT')
      const run = (hour: number) => runAutoRenewal(world().deps, lastDay(waiting, hour).toInstant())
      // This simulates that the notice came before the plan was paid for by hand.
      await world()
        .db.updateTable('auto_renewals')
        .set({ step: 'charge', due_at: new Date(lastDay(waiting, 9).epochMilliseconds) })
        .where('service_id', '=', waiting.service.id)
        .execute()
      const [answer] = await Promise.all([cancel(waiting), pause(ahead).then(() => run(9)), run(9)])
      expect(answer.status).toBe(200)
      await expectCancelled(waiting)
      await run(11)
      await run(12)
      await until(async () => (await chargesOf(world(), waiting)).every(({ state }) => state === 'completed'))
      expect(await chargesOf(world(), waiting)).toHaveLength(1)
      expect(await nextOf(waiting)).not.toBeNull()
    },
  )
})

test('until the network confirms a cancellation, no other plan can be bought; the refund is made once', async () => {
  const waiting = await aNextPlan(world())
  await failNetwork(world(), { operation: 'remove_plan', kind: 'error_500', times: 1_000 })
  await failNetwork(world(), { operation: 'read', kind: 'error_500', times: 1_000 })
  const { customer, service } = waiting
  const answers = await Promise.all([
    ...Array.from({ length: 5 }, () => cancel(waiting)),
    ...['now', 'at_end', 'now', 'at_end'].map((starts) =>
      renew(world(), customer.visitor, service, { saved: true, body: { starts } }),
    ),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 400, 400, 400, 400])
  expect(await refunded(world(), waiting.orderCode)).toBe(0)
  await waiting.networkIsBack()
  await expectCancelled(waiting)
})

test('a cancellation that races with refunds by staff refunds the full price and no more', async () => {
  const waiting = await aNextPlan(world())
  const { deps } = world()
  const [answer] = await Promise.all([
    cancel(waiting),
    refundOrder(deps, waiting.orderCode, theSystem, { amountCents: 1000 }),
    refundOrder(deps, waiting.orderCode, theSystem, { amountCents: 1000 }),
  ])
  expect(answer.status).toBe(200)
  await until(async () => (await orderOf(world(), waiting.orderCode)).state === 'cancelled')
  await until(async () => (await refunded(world(), waiting.orderCode)) === 3600)
})

test('after all races of cancellations, our records and the providers’ agree', async () => {
  // Future work was run early, so the clock has to catch up with it.
  await world().advance('P9D')
  expect(await faultsWhenQuiet(world())).toEqual([])
})
