/* @module-tag slow */
import { beforeEach, describe, expect, test } from 'vitest'
import { systemActor } from '#kit/server/actor.ts'
import { expectQueuedPlanReplaced, waitForEmails, removedPlanActions } from '#quality/support/changed-plan.ts'
import { advanceClockTo, getLastDayAtHour } from '#quality/support/auto-renewal.ts'
import {
  createNextPlan,
  cancelNextPlan,
  readNextPlan,
  readOpenTasks,
  readOrder,
  readRefundedCents,
  readService,
} from '#quality/support/next-plan.ts'
import { setOrderRetryTime } from '#quality/support/lost-response.ts'
import { resumeOrder } from '#quality/support/purchases.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import {
  clearFailures,
  failGateway,
  readProviderRecords,
  readNetworkActions,
  setWebhookMode,
} from '#quality/support/simulators.ts'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
beforeEach(() => setWebhookMode(world(), { mode: 'normal' }))

const attemptOf = (code: string) =>
  world()
    .db.selectFrom('payment_attempts')
    .innerJoin('orders', 'orders.id', 'payment_attempts.order_id')
    .select('payment_attempts.state')
    .where('order_code', '=', code)
    .executeTakeFirstOrThrow()

describe('changing the next plan while the payment is delayed', () => {
  test('a change to the next plan that was requested before the deadline is completed even after the deadline', async () => {
    const waiting = await createNextPlan(world())
    await setWebhookMode(world(), { mode: 'hold' })
    const { status, body } = await waiting.change({ holder: 'PENDING' })
    expect(status).toBe(202)
    await advanceClockTo(world(), getLastDayAtHour(waiting, 1))
    await setWebhookMode(world(), { mode: 'normal', release: true })
    await expectQueuedPlanReplaced(world(), waiting, body.order_code)
  })

  test('the next plan is kept if it starts before its replacement is paid for, and the replacement is not charged', async () => {
    const waiting = await createNextPlan(world())
    await setWebhookMode(world(), { mode: 'hold' })
    const { status, body } = await waiting.change({ holder: 'PENDING' })
    expect(status).toBe(202)
    await advanceClockTo(world(), waiting.expiry.add({ minutes: 1 }))
    await setWebhookMode(world(), { mode: 'normal', release: true })
    await pollUntil(async () => (await readOrder(world(), body.order_code)).state === 'undone')
    expect((await resumeOrder(waiting.customer.visitor, body.order_code)).body.__all__).toEqual([
      expect.stringMatching(/^Your next Prepay Plan has already started, so it was not changed\./),
    ])
    expect((await readProviderRecords(world(), body.order_code)).gateway).toMatchObject([{ captured: 0 }])
    expect(await readRefundedCents(world(), waiting.orderCode)).toBe(0)
    expect(await readService(waiting)).toMatchObject({
      is_expired: false,
      expiry_date: new Date(waiting.expiry.add({ days: 30 }).epochMilliseconds).toISOString(),
    })
  })

  test('if the next plan starts while the payment for its replacement is being captured, the replacement is refunded', async () => {
    const waiting = await createNextPlan(world())
    await failGateway(world(), { operation: 'capture', kind: 'error_500', times: 1_000 })
    const pressed = waiting.change()
    const isCapturing = () => world().db.selectFrom('orders').selectAll().where('state', '=', 'capturing').execute()
    await pollUntil(async () => (await isCapturing()).length === 1)
    const [{ order_code: code } = { order_code: '' }] = await isCapturing()
    // Once the state is `capturing`, the gateway may already have taken the money.
    await pollUntil(async () => (await attemptOf(code)).state === 'capturing')
    await advanceClockTo(world(), waiting.expiry.add({ minutes: 1 }))
    await clearFailures(world())
    await setOrderRetryTime(world(), 0, code)
    await pollUntil(async () => (await readOrder(world(), code)).state === 'cancelled')
    await pollUntil(async () => (await readRefundedCents(world(), code)) === 5610)
    expect([200, 202, 400]).toContain((await pressed).status)
    expect((await resumeOrder(waiting.customer.visitor, code)).body.__all__).toEqual([
      expect.stringMatching(/^Your next Prepay Plan has already started, so it was not changed\./),
    ])
    expect((await waiting.customer.visitor.get(`/api/orders/${code}/`)).status).toBe(404)
    expect(await readNetworkActions(world(), code)).toEqual(removedPlanActions)
    expect(await readRefundedCents(world(), waiting.orderCode)).toBe(0)
    await waitForEmails(world(), waiting, /was not changed$/)
    await waitForEmails(world(), waiting, /^Your refund of/)
    await waitForEmails(world(), waiting, /is renewed$/)
    expect(await readOpenTasks(world(), code)).toEqual([])
    expect(await readService(waiting)).toMatchObject({
      expiry_date: new Date(waiting.expiry.add({ days: 30 }).epochMilliseconds).toISOString(),
    })
  })

  test('if the customer cancels the next plan while changing it, the old plan is refunded once and the new plan replaces it', async () => {
    const waiting = await createNextPlan(world())
    await setWebhookMode(world(), { mode: 'hold' })
    const { body } = await waiting.change({ holder: 'PENDING' })
    expect((await cancelNextPlan(waiting)).status).toBe(200)
    await setWebhookMode(world(), { mode: 'normal', release: true })
    await expectQueuedPlanReplaced(world(), waiting, body.order_code)
    expect(await readNextPlan(waiting)).toMatchObject({ length: 90 })
  })

  test('if part of the next plan is refunded while the plan is being changed, the change refunds only the remainder', async () => {
    const waiting = await createNextPlan(world())
    await setWebhookMode(world(), { mode: 'hold' })
    const { body } = await waiting.change({ holder: 'PENDING' })
    await refundOrder(world().deps, waiting.orderCode, systemActor, { amountCents: 1000 })
    await setWebhookMode(world(), { mode: 'normal', release: true })
    await expectQueuedPlanReplaced(world(), waiting, body.order_code)
  })
})

test('our records match the gateway’s and the network’s after changes to customers’ next plans with delayed payments', async () =>
  expect(await findFaultsWhenIdle(world())).toEqual([]))
