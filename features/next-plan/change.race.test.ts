import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { systemActor } from '#kit/server/actor.ts'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import { processDueDeadlines } from '#features/services/server/plan-life.ts'
import { readCharges, getLastDayAtHour, setAutoRenewal, runAutoRenewal } from '#quality/support/auto-renewal.ts'
import {
  createNextPlan,
  cancelNextPlan,
  readNextPlan,
  readOrder,
  readRefundedCents,
  type QueuedPlan,
} from '#quality/support/next-plan.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { readProviderRecords, readNetworkActions, setWebhookMode } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Answer } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld({ env: { LEASE_SECONDS: '1' } })
beforeEach(() => setWebhookMode(world(), { mode: 'normal' }))

const ordersOf = ({ service }: QueuedPlan) =>
  world()
    .db.selectFrom('orders')
    .selectAll()
    .where('service_id', '=', service.id)
    .where('kind', '=', 'recharge')
    .orderBy('created_at')
    .execute()

async function books(waiting: QueuedPlan) {
  await pollUntil(async () =>
    (await ordersOf(waiting)).every(({ state }) => ['completed', 'cancelled', 'undone', 'refused'].includes(state)),
  )
  const refundsAreDone = async () =>
    (
      await world()
        .db.selectFrom('refunds')
        .innerJoin('orders', 'orders.id', 'refunds.order_id')
        .select('refunds.state')
        .where('orders.service_id', '=', waiting.service.id)
        .execute()
    ).every(({ state }) => state === 'received')
  await pollUntil(refundsAreDone)
  return Promise.all(
    (await ordersOf(waiting)).map(async ({ order_code: code, state }) => {
      const { gateway } = await readProviderRecords(world(), code)
      const sum = (of: 'captured' | 'refunded') => gateway.reduce((all, line) => all + line[of], 0)
      const story = await readNetworkActions(world(), code)
      return {
        code,
        state,
        kept: sum('captured') - sum('refunded'),
        plans:
          story.filter((line) => line === 'add_plan completed').length -
          story.filter((line) => line === 'remove_plan completed').length,
      }
    }),
  )
}

async function expectOne(waiting: QueuedPlan): Promise<string> {
  const all = await books(waiting)
  const had = all.filter(({ state }) => state === 'completed')
  expect(had).toHaveLength(1)
  expect(all.map(({ kept, plans }) => [kept > 0, plans])).toEqual(
    all.map(({ state }) => (state === 'completed' ? [true, 1] : [false, 0])),
  )
  return had[0]?.code ?? ''
}

const planOf = ({ service }: QueuedPlan) =>
  world()
    .db.selectFrom('schedules')
    .innerJoin('orders', 'orders.id', 'schedules.order_id')
    .select('orders.order_code')
    .where('schedules.service_id', '=', service.id)
    .executeTakeFirstOrThrow()

const codeOf = ({ status, body }: Answer): string | null => (status < 300 ? body.order_code : null)
const made = (answers: Answer[]): string[] => [...new Set(answers.flatMap((answer) => codeOf(answer) ?? []))]

test('twenty concurrent changes with different idempotency keys replace the next plan only once', async () => {
  const waiting = await createNextPlan(world())
  const answers = await Promise.all(Array.from({ length: 20 }, () => waiting.change()))
  const [code, ...more] = made(answers)
  expect(more).toEqual([])
  expect(await expectOne(waiting)).toBe(code)
  expect(await readRefundedCents(world(), waiting.orderCode)).toBe(3600)
  expect(await readNextPlan(waiting)).toMatchObject({ length: 90 })
})

test('twenty concurrent changes to the next plan with the same idempotency key return the same order', async () => {
  const waiting = await createNextPlan(world())
  const answers = await Promise.all(Array.from({ length: 20 }, () => waiting.change({ key: 'one' })))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(made(answers)).toEqual([await expectOne(waiting)])
})

test('only one of several concurrent changes to the next plan succeeds, and unused vouchers stay valid', async () => {
  const waiting = await createNextPlan(world())
  const vouchers = await Promise.all([1, 2].map(() => world().newVoucher('plan-30-5gb')))
  const answers = await Promise.all([
    ...vouchers.map((voucher) => waiting.change({ voucher })),
    waiting.change(),
    ...vouchers.map((voucher) => waiting.change({ voucher })),
  ])
  expect(made(answers)).toHaveLength(1)
  await pollUntil(async () => (await readOrder(world(), waiting.orderCode)).state === 'cancelled')
  await pollUntil(async () => (await readRefundedCents(world(), waiting.orderCode)) === 3600)
  const [now] = made(answers)
  await pollUntil(async () => (await readOrder(world(), now ?? '')).state === 'completed')
  const good = await Promise.all(
    vouchers.map(async (code) => (await world().visitor().get(`/api/vouchers/${code}/`)).status === 200),
  )
  const byVoucher = (await readOrder(world(), now ?? '')).paid_with === 'voucher'
  expect(good.filter(Boolean)).toHaveLength(byVoucher ? 1 : 2)
})

describe('changing the next plan while it is starting', () => {
  test.each([0, 20, 60, 150, 300, 600])(
    'if the next plan is changed while it is starting, exactly one of the old and new plans stays paid for (change %i ms ahead)',
    async (ahead) => {
      const waiting = await createNextPlan(world())
      const end = waiting.expiry.toInstant()
      const sweep = () => processDueDeadlines(world().deps, end)
      const [answer] = await Promise.all([waiting.change(), pause(ahead).then(sweep), pause(ahead + 10).then(sweep)])
      const had = await expectOne(waiting)
      expect([waiting.orderCode, codeOf(answer)]).toContain(had)
      await sweep()
      expect((await planOf(waiting)).order_code).toBe(had)
      expect(await readRefundedCents(world(), waiting.orderCode)).toBe(had === waiting.orderCode ? 0 : 3600)
      expect(await readNextPlan(waiting)).toBeNull()
    },
  )
})

describe('changing and cancelling the next plan at the same time', () => {
  test.each([0, 20, 80, 200, 400])(
    'if the next plan is changed and cancelled at the same time, the old plan is refunded exactly once (change %i ms ahead)',
    async (ahead) => {
      const waiting = await createNextPlan(world())
      const [changed, cancelled] = await Promise.all([
        waiting.change(),
        pause(ahead).then(() => cancelNextPlan(waiting)),
      ])
      const all = await books(waiting)
      expect(all[0]).toEqual({ code: waiting.orderCode, state: 'cancelled', kept: 0, plans: 0 })
      expect(await readRefundedCents(world(), waiting.orderCode)).toBe(3600)
      const code = codeOf(changed)
      const second = all.find((one) => one.code === code)
      // The cancellation applies to whichever plan is queued when it arrives, and is rejected if that plan is not yet confirmed.
      expect([200, 400]).toContain(cancelled.status)
      expect((await readNextPlan(waiting))?.length ?? null).toBe(second?.state === 'completed' ? 90 : null)
      expect([changed.status, all.length, cancelled.status]).toEqual(code ? [200, 2, cancelled.status] : [400, 1, 200])
      for (const { state, kept, plans } of all)
        expect([kept > 0, plans]).toEqual(state === 'completed' ? [true, 1] : [false, 0])
    },
  )
})

describe('changing the next plan while auto-renewal runs', () => {
  test.each([0, 20, 100, 300])(
    'if the next plan is changed while auto-renewal runs, auto-renewal charges nothing (change %i ms ahead)',
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
      const [answer] = await Promise.all([waiting.change(), pause(ahead).then(() => run(9)), run(9)])
      expect(answer.status).toBe(200)
      expect(await expectOne(waiting)).toBe(codeOf(answer))
      await run(11)
      await run(12)
      expect(await readCharges(world(), waiting)).toEqual([])
      expect(await readNextPlan(waiting)).toMatchObject({ length: 90 })
    },
  )
})

test('if the next plan is changed while staff refund it, no more than the old plan’s price is refunded', async () => {
  const waiting = await createNextPlan(world())
  const { deps } = world()
  const [answer] = await Promise.all([
    waiting.change(),
    refundOrder(deps, waiting.orderCode, systemActor, { amountCents: 1000 }),
    refundOrder(deps, waiting.orderCode, systemActor, { amountCents: 1000 }),
  ])
  // If a refund starts first, the change is rejected, and it is up to staff to refund the rest.
  expect([200, 400]).toContain(answer.status)
  await pollUntil(async () => ['completed', 'cancelled'].includes((await readOrder(world(), waiting.orderCode)).state))
  const allOfIt = answer.status === 200 ? [3600] : [1000, 2000]
  await pollUntil(async () => allOfIt.includes(await readRefundedCents(world(), waiting.orderCode)))
})

test('our records match the gateway’s and the network’s after customers’ next plans were changed concurrently', async () => {
  // The tests ran auto-renewal for future times, so move the clock past those times.
  await world().advance('P9D')
  expect(await findFaultsWhenIdle(world())).toEqual([])
})
