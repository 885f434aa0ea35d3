import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { systemActor } from '#kit/server/actor.ts'
import { planCancelledEventName } from '#features/orders/server/order-events.store.ts'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import { processDueDeadlines } from '#features/services/server/plan-life.ts'
import { readCharges, getLastDayAtHour, setAutoRenewal, runAutoRenewal } from '#quality/support/auto-renewal.ts'
import {
  createNextPlan,
  cancelNextPlan,
  readNextPlan,
  none,
  readOrder,
  readRefundedCents,
  getFormErrors,
  type QueuedPlan,
} from '#quality/support/next-plan.ts'
import { renew } from '#quality/support/purchases.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { failNetwork, readNetworkActions, setWebhookMode } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { cancelQueuedPlanByOperator } from './server/next-plan.ts'

const world = useWorld({ env: { LEASE_SECONDS: '1' } })
beforeEach(() => setWebhookMode(world(), { mode: 'normal' }))

const removed = ['add_plan completed', 'remove_plan completed']

async function expectCancelled({ orderCode }: QueuedPlan): Promise<void> {
  await pollUntil(async () => (await readRefundedCents(world(), orderCode)) > 0)
  expect([(await readOrder(world(), orderCode)).state, await readRefundedCents(world(), orderCode)]).toEqual([
    'cancelled',
    3600,
  ])
  expect(await readNetworkActions(world(), orderCode)).toEqual(removed)
  const refunds = () =>
    world()
      .db.selectFrom('refunds')
      .innerJoin('orders', 'orders.id', 'refunds.order_id')
      .select('refunds.state')
      .where('order_code', '=', orderCode)
      .execute()
  await pollUntil(async () => (await refunds()).every(({ state }) => state === 'received'))
  expect(await refunds()).toHaveLength(1)
}

const cancelByOperator = async ({ orderCode }: QueuedPlan) =>
  cancelQueuedPlanByOperator(world().deps, await readOrder(world(), orderCode), { by: 'operator', name: 'Hine' })

const planOf = ({ service }: QueuedPlan) =>
  world()
    .db.selectFrom('schedules')
    .innerJoin('orders', 'orders.id', 'schedules.order_id')
    .select('orders.order_code')
    .where('schedules.service_id', '=', service.id)
    .executeTakeFirstOrThrow()

test('twenty concurrent cancellations of a next plan all succeed, but cancel it only once', async () => {
  const waiting = await createNextPlan(world())
  const answers = await Promise.all(Array.from({ length: 20 }, () => cancelNextPlan(waiting)))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  await expectCancelled(waiting)
})

test('after twenty concurrent cancellations of a plan paid for with a voucher, the voucher can pay for only one plan', async () => {
  const voucher = await world().newVoucher('plan-30-15gb')
  const waiting = await createNextPlan(world(), { voucher })
  const answers = await Promise.all(Array.from({ length: 20 }, () => cancelNextPlan(waiting)))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(await readNetworkActions(world(), waiting.orderCode)).toEqual(removed)
  const again = await Promise.all([1, 2, 3].map(() => waiting.buy()))
  expect(again.filter(({ status }) => status === 200)).toHaveLength(1)
})

describe('cancelling the next plan while it is starting', () => {
  test.each([0, 0, 5, 15, 40, 100])(
    'if the next plan is cancelled while it is starting, it is either started or refunded, not both (cancelled after %i ms)',
    async (ahead) => {
      const waiting = await createNextPlan(world())
      const end = waiting.expiry.toInstant()
      const sweep = () => processDueDeadlines(world().deps, end)
      const [answer] = await Promise.all([
        pause(ahead).then(() => cancelNextPlan(waiting)),
        sweep(),
        pause(10).then(sweep),
        sweep(),
      ])
      await sweep()
      const { order_code: runs } = await planOf(waiting)
      if (answer.status === 200) await expectCancelled(waiting)
      const began = answer.status === 400
      expect([runs === waiting.orderCode, getFormErrors(answer) ?? [none]]).toEqual([began, [none]])
      expect(await readRefundedCents(world(), waiting.orderCode)).toBe(began ? 0 : 3600)
      expect(await readNetworkActions(world(), waiting.orderCode)).toEqual(began ? ['add_plan completed'] : removed)
      expect(await readNextPlan(waiting)).toBeNull()
    },
  )
})

describe('staff cancelling a customer’s next plan', () => {
  test.each([0, 0, 5, 15, 40])(
    'if staff and the customer cancel a next plan at the same time, it is cancelled and refunded once (%i ms apart)',
    async (apart) => {
      const waiting = await createNextPlan(world())
      const [answer, ...whyNots] = await Promise.all([
        pause(5).then(() => cancelNextPlan(waiting)),
        cancelByOperator(waiting),
        pause(apart).then(() => cancelByOperator(waiting)),
      ])
      expect(answer.status).toBe(200)
      const byStaff = whyNots.filter((why) => why === null).length
      expect(whyNots.filter((why) => why !== null)).toEqual(Array(2 - byStaff).fill(none))
      const { id } = await readOrder(world(), waiting.orderCode)
      const cancellations = await world()
        .db.selectFrom('order_events')
        .select('actor')
        .where('order_id', '=', id)
        .where('name', '=', planCancelledEventName)
        .execute()
      expect(cancellations).toEqual([{ actor: byStaff === 1 ? 'operator:Hine' : null }])
      await expectCancelled(waiting)
    },
  )

  test.each([0, 0, 5, 15, 40, 100])(
    'if staff cancel a plan while it is starting, it is either started or refunded, not both (%i ms apart)',
    async (apart) => {
      const waiting = await createNextPlan(world())
      const sweep = () => processDueDeadlines(world().deps, waiting.expiry.toInstant())
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
      expect(await readRefundedCents(world(), waiting.orderCode)).toBe(hasStarted ? 0 : 3600)
      expect(await readNetworkActions(world(), waiting.orderCode)).toEqual(
        hasStarted ? ['add_plan completed'] : removed,
      )
      expect(await readNextPlan(waiting)).toBeNull()
    },
  )
})

describe('cancelling the next plan while auto-renewal runs', () => {
  test.each([0, 5, 20, 60])(
    'if the next plan is cancelled while auto-renewal runs, auto-renewal charges once after the cancellation (%i ms ahead)',
    async (ahead) => {
      const waiting = await createNextPlan(world())
      await setAutoRenewal(waiting, 'PUT')
      const run = (hour: number) => runAutoRenewal(world().deps, getLastDayAtHour(waiting, hour).toInstant())
      // Set up auto-renewal as if its notice had been sent before the customer bought the plan themselves.
      await world()
        .db.updateTable('auto_renewals')
        .set({ step: 'charge', due_at: new Date(getLastDayAtHour(waiting, 9).epochMilliseconds) })
        .where('service_id', '=', waiting.service.id)
        .execute()
      const [answer] = await Promise.all([cancelNextPlan(waiting), pause(ahead).then(() => run(9)), run(9)])
      expect(answer.status).toBe(200)
      await expectCancelled(waiting)
      await run(11)
      await run(12)
      await pollUntil(async () => (await readCharges(world(), waiting)).every(({ state }) => state === 'completed'))
      expect(await readCharges(world(), waiting)).toHaveLength(1)
      expect(await readNextPlan(waiting)).not.toBeNull()
    },
  )
})

test('until the network confirms a cancellation, the customer cannot buy another plan, and the refund is made only once', async () => {
  const waiting = await createNextPlan(world())
  await failNetwork(world(), { operation: 'remove_plan', kind: 'error_500', times: 1_000 })
  await failNetwork(world(), { operation: 'read', kind: 'error_500', times: 1_000 })
  const { customer, service } = waiting
  const answers = await Promise.all([
    ...Array.from({ length: 5 }, () => cancelNextPlan(waiting)),
    ...['now', 'at_end', 'now', 'at_end'].map((starts) =>
      renew(world(), customer.visitor, service, { saved: true, body: { starts } }),
    ),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 400, 400, 400, 400])
  expect(await readRefundedCents(world(), waiting.orderCode)).toBe(0)
  await waiting.networkIsBack()
  await expectCancelled(waiting)
})

test('if staff refund parts of a next plan while it is being cancelled, the refunds add up to its full price', async () => {
  const waiting = await createNextPlan(world())
  const { deps } = world()
  const [answer] = await Promise.all([
    cancelNextPlan(waiting),
    refundOrder(deps, waiting.orderCode, systemActor, { amountCents: 1000 }),
    refundOrder(deps, waiting.orderCode, systemActor, { amountCents: 1000 }),
  ])
  expect(answer.status).toBe(200)
  await pollUntil(async () => (await readOrder(world(), waiting.orderCode)).state === 'cancelled')
  await pollUntil(async () => (await readRefundedCents(world(), waiting.orderCode)) === 3600)
})

test('our records match the gateway’s and the network’s after customers’ next plans were cancelled concurrently', async () => {
  // The tests ran auto-renewal for future times, so move the clock past those times.
  await world().advance('P9D')
  expect(await findFaultsWhenIdle(world())).toEqual([])
})
