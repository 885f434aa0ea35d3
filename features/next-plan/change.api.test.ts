/* @module-tag slow */
import { beforeEach, describe, expect, test } from 'vitest'
import { expectQueuedPlanReplaced, waitForEmails } from '#quality/support/changed-plan.ts'
import {
  advanceClockTo,
  readCharges,
  getLastDayAtHour,
  readEmails,
  setAutoRenewal,
} from '#quality/support/auto-renewal.ts'
import { makeSubscriber } from '#quality/support/customer.ts'
import {
  createNextPlan,
  deleteTasks,
  readNextPlan,
  none,
  readOpenTasks,
  readOrder,
  readRefundedCents,
  getFormErrors,
  readService,
  type QueuedPlan,
} from '#quality/support/next-plan.ts'
import { renew } from '#quality/support/purchases.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { failNetwork, readProviderRecords, readNetworkActions, setWebhookMode } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
beforeEach(() => setWebhookMode(world(), { mode: 'normal' }))

describe('changing the next plan', () => {
  test('changing the next plan orders the new plan, cancels and refunds the old one, and sends emails', async () => {
    const waiting = await createNextPlan(world())
    expect((await readService(waiting)).outlook.change_next_plan).toEqual({
      instead_of: waiting.orderCode,
      line: 'Your 15 GB Prepay Plan of $36.00 will be refunded in full once the new plan is paid for.',
    })
    const { status, body } = await waiting.change({ body: { expected_total: '56.10' } })
    expect(status).toBe(200)
    await expectQueuedPlanReplaced(world(), waiting, body.order_code)
    expect((await readProviderRecords(world(), body.order_code)).gateway).toMatchObject([
      { captured: 5610, refunded: 0 },
    ])
    expect(await readNextPlan(waiting)).toMatchObject({
      length: 90,
      starts_on: waiting.expiry.toInstant().toString({ fractionalSecondDigits: 3 }),
    })
    await waitForEmails(world(), waiting, /is renewed$/, 2)
    await waitForEmails(world(), waiting, /next Prepay Plan for .* is cancelled$/)
    await waitForEmails(world(), waiting, /^Your refund of/)
    const mail = (await readEmails(world(), waiting)).find(({ subject }) => subject.endsWith('is cancelled'))
    expect(mail?.text).toMatch(/We’ll refund \$36\.00 to .* We’ll send your tax credit note in a separate email\./)
    expect(mail?.text).toMatch(/Your next plan is now the .* \(90 days\)\. It starts on /)
    await advanceClockTo(world(), waiting.expiry.add({ minutes: 1 }))
    expect(await readService(waiting)).toMatchObject({
      is_expired: false,
      expiry_date: new Date(waiting.expiry.add({ days: 90 }).epochMilliseconds).toISOString(),
    })
  })

  test('repeating a next-plan change returns the same order for the same idempotency key, but an error for a different key', async () => {
    const waiting = await createNextPlan(world())
    const first = await waiting.change({ key: 'one' })
    const again = await waiting.change({ key: 'one' })
    expect([again.status, again.body]).toEqual([200, first.body])
    const other = await waiting.change()
    expect([other.status, getFormErrors(other)]).toEqual([
      400,
      ['This page is out of date. Please refresh it and try again.'],
    ])
    await expectQueuedPlanReplaced(world(), waiting, first.body.order_code)
  })

  test('if a voucher pays for the replacement of the next plan, the voucher that paid for the old plan becomes valid again', async () => {
    const [old, other] = [await world().newVoucher('plan-30-15gb'), await world().newVoucher('plan-30-5gb')]
    const waiting = await createNextPlan(world(), { voucher: old })
    const usable = async (code: string) => (await world().visitor().get(`/api/vouchers/${code}/`)).status === 200
    expect((await readService(waiting)).outlook.change_next_plan?.line).toMatch(/Its voucher code will then work again/)
    expect(getFormErrors(await waiting.change({ voucher: old }))).toEqual(['This voucher has already been used.'])
    const { status, body } = await waiting.change({ voucher: other })
    expect(status).toBe(200)
    await pollUntil(async () => (await readOrder(world(), waiting.orderCode)).state === 'cancelled')
    expect([await usable(old), await usable(other)]).toEqual([true, false])
    expect((await readProviderRecords(world(), body.order_code)).gateway).toEqual([])
    expect(await readNextPlan(waiting)).toMatchObject({ length: 30 })
  })

  test('rejects a change to the next plan if three next plans for the number were cancelled in the last 30 days', async () => {
    const waiting = await createNextPlan(world())
    let now = waiting.orderCode
    const change = () => waiting.change({ body: { instead_of: now } })
    for (let count = 0; count < 3; count++) {
      const { status, body } = await change()
      expect(status).toBe(200)
      await pollUntil(async () => (await readOrder(world(), now)).state === 'cancelled')
      now = body.order_code
      await pollUntil(async () => (await readOrder(world(), now)).state === 'completed')
    }
    const refusal = await change()
    expect([refusal.status, getFormErrors(refusal)?.[0]]).toEqual([
      400,
      expect.stringMatching(/^Three next plans for this number were cancelled in the last 30 days/),
    ])
    expect((await readOrder(world(), now)).state).toBe('completed')
  })

  test('after the next plan has been changed, auto-renewal does not charge for the same period', async () => {
    const waiting = await createNextPlan(world())
    await setAutoRenewal(waiting, 'PUT')
    const { body } = await waiting.change()
    await expectQueuedPlanReplaced(world(), waiting, body.order_code)
    await advanceClockTo(world(), getLastDayAtHour(waiting, 22))
    expect(await readCharges(world(), waiting)).toEqual([])
    await advanceClockTo(world(), waiting.expiry.add({ minutes: 1 }))
    expect(await readService(waiting)).toMatchObject({ is_expired: false })
  })
})

describe('changes to the next plan that fail', () => {
  async function expectKept(waiting: QueuedPlan): Promise<void> {
    expect((await readOrder(world(), waiting.orderCode)).state).toBe('completed')
    expect(await readNextPlan(waiting)).toMatchObject({ length: 30 })
    expect(await readRefundedCents(world(), waiting.orderCode)).toBe(0)
    expect(await readNetworkActions(world(), waiting.orderCode)).toEqual(['add_plan completed'])
  }

  test('keeps the old next plan when the card for the new one is declined', async () => {
    const waiting = await createNextPlan(world())
    const { status, body } = await waiting.change({ holder: 'DECLINED' })
    expect([status, body]).toEqual([
      400,
      { __all__: ['Your bank declined this payment. Nothing was charged. Try another card or call your bank.'] },
    ])
    await expectKept(waiting)
    expect((await waiting.change()).status).toBe(200)
  })

  test('keeps the old next plan when the network rejects the new one', async () => {
    const waiting = await createNextPlan(world())
    await failNetwork(world(), { operation: 'add_plan', kind: 'fail_permanent' })
    const { status, body } = await waiting.change({ key: 'one' })
    expect([status, body.__all__?.[0]]).toEqual([400, expect.stringMatching(/^The network could not add/)])
    await expectKept(waiting)
  })

  test('rejects a change to the next plan if the price is outdated or the new plan would start immediately', async () => {
    const waiting = await createNextPlan(world())
    const price = await waiting.change({ body: { expected_total: '1.00' } })
    expect([price.status, price.body]).toEqual([409, { total: '56.10' }])
    const start = await waiting.change({ body: { starts: 'now' } })
    expect([start.status, Object.keys(start.body)]).toEqual([400, ['starts']])
    await expectKept(waiting)
  })

  test('a second next plan cannot be bought, and the error says when the first one starts', async () => {
    const waiting = await createNextPlan(world())
    const answer = await waiting.buy()
    expect([answer.status, getFormErrors(answer)?.[0]]).toEqual([
      400,
      expect.stringMatching(/^Your next Prepay Plan, .*, is already paid for and starts on \d+ \w+ \d{4}\.$/),
    ])
    await expectKept(waiting)
  })

  test('rejects a change to the next plan if the plan belongs to another customer or does not exist', async () => {
    const waiting = await createNextPlan(world())
    const other = await makeSubscriber(world(), { card: true })
    const body = { starts: 'at_end', instead_of: waiting.orderCode }
    const theirs = await renew(world(), other.visitor, waiting.service, { saved: true, body })
    expect(theirs.status).toBe(404)
    const own = await renew(world(), other.visitor, other.service, { saved: true, body })
    expect([own.status, getFormErrors(own)]).toEqual([400, [none]])
    await expectKept(waiting)
  })

  test('rejects a change to the next plan within a day of its start', async () => {
    const waiting = await createNextPlan(world())
    await advanceClockTo(world(), getLastDayAtHour(waiting, 0))
    const refusal = await waiting.change()
    expect([refusal.status, getFormErrors(refusal)?.[0]]).toEqual([
      400,
      expect.stringMatching(/^Your next Prepay Plan starts within a day, so it can’t be cancelled here any more/),
    ])
    await expectKept(waiting)
  })
})

describe('changing the next plan while the network does not respond', () => {
  test('a replaced next plan is refunded only after the network has responded, and until then no other change is accepted', async () => {
    const waiting = await createNextPlan(world())
    await failNetwork(world(), { operation: 'remove_plan', kind: 'error_500', times: 1_000 })
    const { status, body } = await waiting.change()
    expect([status, (await readNextPlan(waiting))?.length]).toEqual([200, 90])
    expect(await readRefundedCents(world(), waiting.orderCode)).toBe(0)
    await pollUntil(async () => (await readOrder(world(), body.order_code)).state === 'completed')
    const another = await waiting.change({ body: { instead_of: body.order_code } })
    expect(getFormErrors(another)).toEqual(['A renewal of this Prepay Plan is already under way.'])
    await waiting.networkIsBack()
    await expectQueuedPlanReplaced(world(), waiting, body.order_code)
  })
})

test('our records match the gateway’s and the network’s after customers’ next plans were changed', async () =>
  expect(await findFaultsWhenIdle(world())).toEqual([]))

test('if the network refuses to remove a replaced next plan, the plan is refunded and a task is created', async () => {
  const waiting = await createNextPlan(world())
  await failNetwork(world(), { operation: 'remove_plan', kind: 'fail_permanent' })
  const { status, body } = await waiting.change()
  expect(status).toBe(200)
  await pollUntil(async () => (await readRefundedCents(world(), waiting.orderCode)) === 3600)
  expect((await readOpenTasks(world(), waiting.orderCode))[0]?.reason).toMatch(/^the network would not remove the plan/)
  expect([(await readNextPlan(waiting))?.length, (await readOrder(world(), body.order_code)).state]).toEqual([
    90,
    'completed',
  ])
  await deleteTasks(world())
  // The network still has the old plan, and staff have to remove it by hand.
  expect(await findFaultsWhenIdle(world())).toEqual([`${waiting.orderCode} (cancelled) has 1 plans`])
})
