/* @module-tag slow */
import { beforeEach, describe, expect, test } from 'vitest'
import { advanceClockTo, readEmails } from '#quality/support/auto-renewal.ts'
import { logInAs, makeSubscriber } from '#quality/support/customer.ts'
import {
  createNextPlan,
  cancelNextPlan,
  deleteTasks,
  readNextPlan,
  none,
  readOpenTasks,
  readOrder,
  readRefundedCents,
  getFormErrors,
  readService,
  terms,
} from '#quality/support/next-plan.ts'
import { renew } from '#quality/support/purchases.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { failNetwork, readNetworkActions, setWebhookMode } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
beforeEach(() => setWebhookMode(world(), { mode: 'normal' }))

describe('cancelling a next plan while the network is failing', () => {
  test('until the network responds, a cancelled next plan is not refunded and the customer cannot buy a renewal', async () => {
    const waiting = await createNextPlan(world())
    await failNetwork(world(), { operation: 'remove_plan', kind: 'error_500', times: 1_000 })
    await failNetwork(world(), { operation: 'read', kind: 'error_500', times: 1_000 })
    const { status, body } = await cancelNextPlan(waiting)
    expect({ status, state: body.outlook.state, next: await readNextPlan(waiting) }).toEqual({
      status: 200,
      state: 'next_plan_cancelling',
      next: null,
    })
    expect(await readRefundedCents(world(), waiting.orderCode)).toBe(0)
    const { status: renewed, body: why } = await waiting.buy()
    expect([renewed, why.__all__]).toEqual([400, ['A renewal of this Prepay Plan is already under way.']])
    expect((await cancelNextPlan(waiting)).status).toBe(200)
    await waiting.networkIsBack()
    await pollUntil(async () => (await readRefundedCents(world(), waiting.orderCode)) === 3600)
    expect((await waiting.buy()).status).toBe(200)
  })

  test('a cancelled next plan is refunded and does not start, even if the network responds only after the plan’s start time', async () => {
    const waiting = await createNextPlan(world())
    await failNetwork(world(), { operation: 'remove_plan', kind: 'error_500', times: 1_000 })
    await failNetwork(world(), { operation: 'read', kind: 'error_500', times: 1_000 })
    await cancelNextPlan(waiting)
    await advanceClockTo(world(), waiting.expiry.add({ hours: 1 }))
    expect(await readService(waiting)).toMatchObject({ is_expired: true })
    await waiting.networkIsBack()
    await pollUntil(async () => (await readRefundedCents(world(), waiting.orderCode)) === 3600)
    expect(await readService(waiting)).toMatchObject({ is_expired: true })
    expect((await waiting.buy()).status).toBe(200)
    expect(await readService(waiting)).toMatchObject({ is_expired: false })
  })

  test('a cancelled next plan is refunded even if the network’s response to the removal is lost', async () => {
    const waiting = await createNextPlan(world())
    await failNetwork(world(), { operation: 'remove_plan', kind: 'lost_answer', times: 1 })
    expect((await cancelNextPlan(waiting)).status).toBe(200)
    await pollUntil(async () => (await readRefundedCents(world(), waiting.orderCode)) === 3600)
    expect(await readNetworkActions(world(), waiting.orderCode)).toEqual([
      'add_plan completed',
      'remove_plan completed',
    ])
  })

  test('if the network refuses to remove a next plan, the plan stays, a task is created and the customer is emailed', async () => {
    const waiting = await createNextPlan(world())
    await failNetwork(world(), { operation: 'remove_plan', kind: 'fail_permanent' })
    const { body } = await cancelNextPlan(waiting)
    expect(body.outlook.state).toBe('next_plan_paid')
    expect((await readOrder(world(), waiting.orderCode)).state).toBe('completed')
    expect((await readOpenTasks(world(), waiting.orderCode))[0]?.reason).toMatch(
      /^the network would not remove the plan/,
    )
    await pollUntil(async () =>
      (await readEmails(world(), waiting)).some(({ subject }) => subject.endsWith('could not be cancelled')),
    )
    await deleteTasks(world())
    expect((await cancelNextPlan(waiting)).body.outlook.state).not.toMatch(/next_plan/)
    await pollUntil(async () => (await readRefundedCents(world(), waiting.orderCode)) === 3600)
  })

  test('if the network refuses to remove a next plan after its start time, the plan becomes active and is not refunded', async () => {
    const waiting = await createNextPlan(world())
    await failNetwork(world(), { operation: 'remove_plan', kind: 'error_500', times: 1_000 })
    await failNetwork(world(), { operation: 'read', kind: 'error_500', times: 1_000 })
    await cancelNextPlan(waiting)
    await advanceClockTo(world(), waiting.expiry.add({ hours: 1 }))
    await waiting.networkIsBack(async () => failNetwork(world(), { operation: 'remove_plan', kind: 'fail_permanent' }))
    await pollUntil(async () => (await readOrder(world(), waiting.orderCode)).state === 'completed')
    const { expiry_date, is_expired } = await readService(waiting)
    expect([is_expired, expiry_date]).toEqual([
      false,
      new Date(waiting.expiry.add({ days: 30 }).epochMilliseconds).toISOString(),
    ])
    expect(await readRefundedCents(world(), waiting.orderCode)).toBe(0)
    await deleteTasks(world())
  })
})

describe('who may cancel a next plan', () => {
  test('rejects a request to cancel a next plan that belongs to another customer or does not exist', async () => {
    const waiting = await createNextPlan(world())
    const other = await makeSubscriber(world())
    expect((await cancelNextPlan({ ...waiting, customer: other })).status).toBe(404)
    expect((await terms({ ...waiting, customer: other })).status).toBe(404)
    expect((await cancelNextPlan({ ...waiting, customer: { ...other, visitor: world().visitor() } })).status).toBe(403)
    expect(await readNextPlan(waiting)).not.toBeNull()
    const without = { ...waiting, customer: other, service: other.service }
    expect(getFormErrors(await cancelNextPlan(without))).toEqual([none])
    expect((await terms(without)).body).toEqual({ lines: [none], button: null })
    const { customer } = waiting
    expect(
      (await cancelNextPlan({ ...waiting, customer: { ...customer, visitor: await logInAs(world(), customer) } }))
        .status,
    ).toBe(200)
  })

  test('repeating the purchase request after a next plan was cancelled returns the same order and buys nothing', async () => {
    const waiting = await createNextPlan(world(), { key: 'one' })
    await cancelNextPlan(waiting)
    const again = await renew(world(), waiting.customer.visitor, waiting.service, {
      saved: true,
      key: 'one',
      body: { starts: 'at_end' },
    })
    expect([again.status, again.body]).toEqual([200, { order_code: waiting.orderCode }])
    expect(await readNextPlan(waiting)).toBeNull()
  })
})

test('our records match the gateway’s and the network’s after customers’ next plans were cancelled during network failures', async () =>
  expect(await findFaultsWhenIdle(world())).toEqual([]))
