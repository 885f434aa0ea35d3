// @module-tag slow
import { beforeEach, describe, expect, test } from 'vitest'
import { theSystem } from '#kit/server/actor.ts'
import { expectChanged, hasMail, removed } from '#quality/support/changed-plan.ts'
import { advanceTo, lastDay } from '#quality/support/auto-renewal.ts'
import { aNextPlan, cancel, nextOf, openTasks, orderOf, refunded, serviceNow } from '#quality/support/next-plan.ts'
import { wakeWorkerIn } from '#quality/support/lost-answer.ts'
import { resume } from '#quality/support/purchases.ts'
import { faultsWhenQuiet } from '#quality/support/reconciliation.ts'
import { clearFailures, failGateway, linesOf, networkStory, setWebhooks } from '#quality/support/simulators.ts'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import { until } from '#quality/support/until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
beforeEach(() => setWebhooks(world(), { mode: 'normal' }))

const attemptOf = (code: string) =>
  world()
    .db.selectFrom('payment_attempts')
    .innerJoin('orders', 'orders.id', 'payment_attempts.order_id')
    .select('payment_attempts.state')
    .where('order_code', '=', code)
    .executeTakeFirstOrThrow()

describe('events between the request of a change and its payment', () => {
  test('a change of the next plan that is requested in time still happens after the deadline has passed', async () => {
    const waiting = await aNextPlan(world())
    await setWebhooks(world(), { mode: 'hold' })
    const { status, body } = await waiting.change({ holder: 'PENDING' })
    expect(status).toBe(202)
    await advanceTo(world(), lastDay(waiting, 1))
    await setWebhooks(world(), { mode: 'normal', release: true })
    await expectChanged(world(), waiting, body.order_code)
  })

  test('a next plan that starts before its replacement is paid for stays, and the replacement is not charged', async () => {
    const waiting = await aNextPlan(world())
    await setWebhooks(world(), { mode: 'hold' })
    const { status, body } = await waiting.change({ holder: 'PENDING' })
    expect(status).toBe(202)
    await advanceTo(world(), waiting.expiry.add({ minutes: 1 }))
    await setWebhooks(world(), { mode: 'normal', release: true })
    await until(async () => (await orderOf(world(), body.order_code)).state === 'undone')
    expect((await resume(waiting.customer.visitor, body.order_code)).body.__all__).toEqual([
      expect.stringMatching(/^Your next Prepay Plan has already started, so it was not changed\./),
    ])
    expect((await linesOf(world(), body.order_code)).gateway).toMatchObject([{ captured: 0 }])
    expect(await refunded(world(), waiting.orderCode)).toBe(0)
    expect(await serviceNow(waiting)).toMatchObject({
      is_expired: false,
      expiry_date: new Date(waiting.expiry.add({ days: 30 }).epochMilliseconds).toISOString(),
    })
  })

  test('when a next plan starts during the capture for its replacement, the replacement is refunded', async () => {
    const waiting = await aNextPlan(world())
    await failGateway(world(), { operation: 'capture', kind: 'error_500', times: 1_000 })
    const pressed = waiting.change()
    const isCapturing = () => world().db.selectFrom('orders').selectAll().where('state', '=', 'capturing').execute()
    await until(async () => (await isCapturing()).length === 1)
    const [{ order_code: code } = { order_code: '' }] = await isCapturing()
    // Once the capture has been requested, the money may have been taken.
    await until(async () => (await attemptOf(code)).state === 'capturing')
    await advanceTo(world(), waiting.expiry.add({ minutes: 1 }))
    await clearFailures(world())
    await wakeWorkerIn(world(), 0, code)
    await until(async () => (await orderOf(world(), code)).state === 'cancelled')
    await until(async () => (await refunded(world(), code)) === 5610)
    expect([200, 202, 400]).toContain((await pressed).status)
    expect((await resume(waiting.customer.visitor, code)).body.__all__).toEqual([
      expect.stringMatching(/^Your next Prepay Plan has already started, so it was not changed\./),
    ])
    expect((await waiting.customer.visitor.get(`/api/orders/${code}/`)).status).toBe(404)
    expect(await networkStory(world(), code)).toEqual(removed)
    expect(await refunded(world(), waiting.orderCode)).toBe(0)
    await hasMail(world(), waiting, /was not changed$/)
    await hasMail(world(), waiting, /^Your refund of/)
    await hasMail(world(), waiting, /is renewed$/)
    expect(await openTasks(world(), code)).toEqual([])
    expect(await serviceNow(waiting)).toMatchObject({
      expiry_date: new Date(waiting.expiry.add({ days: 30 }).epochMilliseconds).toISOString(),
    })
  })

  test('a next plan that is cancelled during its change is refunded once, and the new one still replaces it', async () => {
    const waiting = await aNextPlan(world())
    await setWebhooks(world(), { mode: 'hold' })
    const { body } = await waiting.change({ holder: 'PENDING' })
    expect((await cancel(waiting)).status).toBe(200)
    await setWebhooks(world(), { mode: 'normal', release: true })
    await expectChanged(world(), waiting, body.order_code)
    expect(await nextOf(waiting)).toMatchObject({ length: 90 })
  })

  test('when a next plan is partly refunded during its change, only the rest is refunded', async () => {
    const waiting = await aNextPlan(world())
    await setWebhooks(world(), { mode: 'hold' })
    const { body } = await waiting.change({ holder: 'PENDING' })
    await refundOrder(world().deps, waiting.orderCode, theSystem, { amountCents: 1000 })
    await setWebhooks(world(), { mode: 'normal', release: true })
    await expectChanged(world(), waiting, body.order_code)
  })
})

test('after changes with delayed payments, our records and the providers’ agree', async () =>
  expect(await faultsWhenQuiet(world())).toEqual([]))
