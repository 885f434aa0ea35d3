// @module-tag slow
import { beforeEach, describe, expect, test } from 'vitest'
import { advanceTo, mailsOf } from '#quality/support/auto-renewal.ts'
import { loginAs, makeSubscriber } from '#quality/support/customer.ts'
import {
  aNextPlan,
  cancel,
  endTasks,
  nextOf,
  none,
  openTasks,
  orderOf,
  refunded,
  sentences,
  serviceNow,
  terms,
} from '#quality/support/next-plan.ts'
import { renew } from '#quality/support/purchases.ts'
import { faultsWhenQuiet } from '#quality/support/reconciliation.ts'
import { failNetwork, networkStory, setWebhooks } from '#quality/support/simulators.ts'
import { until } from '#quality/support/until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
beforeEach(() => setWebhooks(world(), { mode: 'normal' }))

describe('cancelling a next plan at the network', () => {
  test('a cancelled next plan is not refunded, and no renewal can be bought, until the network responds', async () => {
    const waiting = await aNextPlan(world())
    await failNetwork(world(), { operation: 'remove_plan', kind: 'error_500', times: 1_000 })
    await failNetwork(world(), { operation: 'read', kind: 'error_500', times: 1_000 })
    const { status, body } = await cancel(waiting)
    expect({ status, state: body.outlook.state, next: await nextOf(waiting) }).toEqual({
      status: 200,
      state: 'next_plan_cancelling',
      next: null,
    })
    expect(await refunded(world(), waiting.orderCode)).toBe(0)
    const { status: renewed, body: why } = await waiting.buy()
    expect([renewed, why.__all__]).toEqual([400, ['A renewal of this Prepay Plan is already under way.']])
    expect((await cancel(waiting)).status).toBe(200)
    await waiting.networkIsBack()
    await until(async () => (await refunded(world(), waiting.orderCode)) === 3600)
    expect((await waiting.buy()).status).toBe(200)
  })

  test('a plan whose cancellation is unanswered until after its start does not start, and is refunded', async () => {
    const waiting = await aNextPlan(world())
    await failNetwork(world(), { operation: 'remove_plan', kind: 'error_500', times: 1_000 })
    await failNetwork(world(), { operation: 'read', kind: 'error_500', times: 1_000 })
    await cancel(waiting)
    await advanceTo(world(), waiting.expiry.add({ hours: 1 }))
    expect(await serviceNow(waiting)).toMatchObject({ is_expired: true })
    await waiting.networkIsBack()
    await until(async () => (await refunded(world(), waiting.orderCode)) === 3600)
    expect(await serviceNow(waiting)).toMatchObject({ is_expired: true })
    expect((await waiting.buy()).status).toBe(200)
    expect(await serviceNow(waiting)).toMatchObject({ is_expired: false })
  })

  test('refunds the cancelled plan when the network’s response to its removal is lost', async () => {
    const waiting = await aNextPlan(world())
    await failNetwork(world(), { operation: 'remove_plan', kind: 'lost_answer', times: 1 })
    expect((await cancel(waiting)).status).toBe(200)
    await until(async () => (await refunded(world(), waiting.orderCode)) === 3600)
    expect(await networkStory(world(), waiting.orderCode)).toEqual(['add_plan completed', 'remove_plan completed'])
  })

  test('a next plan whose removal the network rejects stays, with a task and an email to the customer', async () => {
    const waiting = await aNextPlan(world())
    await failNetwork(world(), { operation: 'remove_plan', kind: 'fail_permanent' })
    const { body } = await cancel(waiting)
    expect(body.outlook.state).toBe('next_plan_paid')
    expect((await orderOf(world(), waiting.orderCode)).state).toBe('completed')
    expect((await openTasks(world(), waiting.orderCode))[0]?.reason).toMatch(/^the network would not remove the plan/)
    await until(async () =>
      (await mailsOf(world(), waiting)).some(({ subject }) => subject.endsWith('could not be cancelled')),
    )
    await endTasks(world())
    expect((await cancel(waiting)).body.outlook.state).not.toMatch(/next_plan/)
    await until(async () => (await refunded(world(), waiting.orderCode)) === 3600)
  })

  test('a next plan whose removal the network rejects after its start time is active, and is not refunded', async () => {
    const waiting = await aNextPlan(world())
    await failNetwork(world(), { operation: 'remove_plan', kind: 'error_500', times: 1_000 })
    await failNetwork(world(), { operation: 'read', kind: 'error_500', times: 1_000 })
    await cancel(waiting)
    await advanceTo(world(), waiting.expiry.add({ hours: 1 }))
    await waiting.networkIsBack(async () => failNetwork(world(), { operation: 'remove_plan', kind: 'fail_permanent' }))
    await until(async () => (await orderOf(world(), waiting.orderCode)).state === 'completed')
    const { expiry_date, is_expired } = await serviceNow(waiting)
    expect([is_expired, expiry_date]).toEqual([
      false,
      new Date(waiting.expiry.add({ days: 30 }).epochMilliseconds).toISOString(),
    ])
    expect(await refunded(world(), waiting.orderCode)).toBe(0)
    await endTasks(world())
  })
})

describe('access to cancelling a next plan', () => {
  test('rejects cancelling a next plan that is another customer’s or does not exist', async () => {
    const waiting = await aNextPlan(world())
    const other = await makeSubscriber(world())
    expect((await cancel({ ...waiting, customer: other })).status).toBe(404)
    expect((await terms({ ...waiting, customer: other })).status).toBe(404)
    expect((await cancel({ ...waiting, customer: { ...other, visitor: world().visitor() } })).status).toBe(403)
    expect(await nextOf(waiting)).not.toBeNull()
    const without = { ...waiting, customer: other, service: other.service }
    expect(sentences(await cancel(without))).toEqual([none])
    expect((await terms(without)).body).toEqual({ lines: [none], button: null })
    const { customer } = waiting
    expect(
      (await cancel({ ...waiting, customer: { ...customer, visitor: await loginAs(world(), customer) } })).status,
    ).toBe(200)
  })

  test('a repeated purchase request of a cancelled plan returns its order and buys nothing', async () => {
    const waiting = await aNextPlan(world(), { key: 'one' })
    await cancel(waiting)
    const again = await renew(world(), waiting.customer.visitor, waiting.service, {
      saved: true,
      key: 'one',
      body: { starts: 'at_end' },
    })
    expect([again.status, again.body]).toEqual([200, { order_code: waiting.orderCode }])
    expect(await nextOf(waiting)).toBeNull()
  })
})

test('after cancellations with network failures, our records and the providers’ agree', async () =>
  expect(await faultsWhenQuiet(world())).toEqual([]))
