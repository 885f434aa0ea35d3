// @module-tag slow
import { beforeEach, describe, expect, test } from 'vitest'
import { theSystem } from '#kit/server/actor.ts'
import { viewOrder } from '#desk/features/orders/server/order-view.ts'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import { advanceTo, chargesOf, lastDay, mailsOf, scheduleOf, switchAutoRenewal } from '#quality/support/auto-renewal.ts'
import { aNextPlan, endTasks, orderOf, refunded, serviceNow, type Waiting } from '#quality/support/next-plan.ts'
import { faultsWhenQuiet } from '#quality/support/reconciliation.ts'
import { failNetwork, returnRefund, setWebhooks } from '#quality/support/simulators.ts'
import { until } from '#quality/support/until.ts'
import { useWorld } from '#quality/support/world.ts'
import { cancelPlanByOperator } from './server/next-plan.ts'

const world = useWorld()
beforeEach(() => setWebhooks(world(), { mode: 'normal' }))

const cancelByOperator = async (orderCode: string) =>
  cancelPlanByOperator(world().deps, await orderOf(world(), orderCode), { by: 'operator', name: 'Hine' })

const completedCharge = (waiting: Waiting) =>
  until(async () => (await chargesOf(world(), waiting)).find(({ state }) => state === 'completed'))

async function anAutoRenewedPlan() {
  const waiting = await aNextPlan(world(), { buys: false })
  await switchAutoRenewal(waiting, 'PUT')
  await advanceTo(world(), lastDay(waiting, 10))
  return { waiting, charge: await completedCharge(waiting) }
}

const undoneBy = async (orderCode: string) => (await viewOrder(world(), orderCode))?.undone_by_cancel

const mailEndingIn = (waiting: Waiting, end: string) =>
  until(async () => (await mailsOf(world(), waiting)).find(({ subject }) => subject.endsWith(end)))

const autoRenewalOff = 'Auto-renewal is off, so we won’t charge your card again unless you enable it.'

describe('staff cancel a next plan that auto-renewal charged', () => {
  test('staff cancelling an auto-renewed plan switches auto-renewal off and refunds the single charge', async () => {
    const { waiting, charge } = await anAutoRenewedPlan()
    const { order_code: code, amount_cents: cents } = charge
    expect(await undoneBy(code)).toContain('auto-renewal is switched off, so the card is not charged again')
    expect(await cancelByOperator(code)).toBeNull()
    expect((await scheduleOf(waiting)).auto_recharge_enabled).toBe(false)
    expect(
      await world()
        .db.selectFrom('audit_events')
        .select('actor')
        .where('event', '=', 'auto_renewal_disabled')
        .where('user_id', '=', waiting.customer.id)
        .execute(),
    ).toEqual([{ actor: 'operator:Hine' }])
    await until(async () => (await refunded(world(), code)) === cents)
    expect((await mailEndingIn(waiting, 'is cancelled')).text).toContain(autoRenewalOff)

    await advanceTo(world(), lastDay(waiting, 10).add({ minutes: 30 }))
    await advanceTo(world(), lastDay(waiting, 22))
    await advanceTo(world(), waiting.expiry.add({ days: 1 }))
    expect(await serviceNow(waiting)).toMatchObject({ is_expired: true })
    expect(await chargesOf(world(), waiting)).toHaveLength(1)
    expect(await refunded(world(), code)).toBe(cents)
    expect((await mailsOf(world(), waiting)).filter(({ text }) => text.includes('We could not renew'))).toEqual([])
  })

  test('emails the customer that auto-renewal is off when the network keeps the plan', async () => {
    const { waiting, charge } = await anAutoRenewedPlan()
    await failNetwork(world(), { operation: 'remove_plan', kind: 'fail_permanent' })
    expect(await cancelByOperator(charge.order_code)).toBeNull()
    expect((await mailEndingIn(waiting, 'could not be cancelled')).text).toContain(autoRenewalOff)
    await advanceTo(world(), waiting.expiry.add({ hours: 1 }))
    expect(await serviceNow(waiting)).toMatchObject({ is_expired: false })
    expect(await refunded(world(), charge.order_code)).toBe(0)
    await endTasks(world())
  })
})

test('staff cancel a plan that the customer bought: auto-renewal sends a new notice 10 minutes before it charges', async () => {
  const waiting = await aNextPlan(world(), { buys: false })
  await switchAutoRenewal(waiting, 'PUT')
  const notices = async () => (await mailsOf(world(), waiting)).filter(({ subject }) => subject.includes('renews on'))
  await advanceTo(world(), lastDay(waiting, 10).subtract({ days: 2 }))
  await until(async () => (await notices()).length === 1)
  const code = (await waiting.buy()).body.order_code as string
  await until(async () => (await orderOf(world(), code)).state === 'completed')
  await advanceTo(world(), lastDay(waiting, 10))
  expect(await undoneBy(code)).toContain(
    'auto-renewal stays on: it emails the customer the amount before it charges the card for another plan',
  )
  expect(await cancelByOperator(code)).toBeNull()
  await until(async () => (await notices()).length === 2)
  await until(async () => (await refunded(world(), code)) === 3600)
  await world().advance('PT9M')
  expect(await chargesOf(world(), waiting)).toEqual([])
  await world().advance('PT2M')
  await completedCharge(waiting)
  expect(await chargesOf(world(), waiting)).toHaveLength(1)
})

test('staff cannot cancel a next plan while a failed refund of it is owed', async () => {
  const { orderCode: code } = await aNextPlan(world())
  expect(await refundOrder(world().deps, code, theSystem, { amountCents: 1000 })).toMatchObject({ outcome: 'received' })
  await returnRefund(world(), { reference: `${code}-1`, event: 'REFUND_FAILED', reason: 'Account closed' })
  const why = 'A refund of this order failed. Refund the customer again first, then cancel the next plan.'
  await until(async () => (await viewOrder(world(), code))?.cancel_why === why)
  expect(await cancelByOperator(code)).toBe(why)
  expect(await refundOrder(world().deps, code, theSystem)).toMatchObject({ outcome: 'received' })
  expect(await cancelByOperator(code)).toBeNull()
  await until(async () => (await orderOf(world(), code)).state === 'cancelled')
  await endTasks(world())
})

test('after cancellations of next plans by staff, our records and the providers’ agree', async () =>
  expect(await faultsWhenQuiet(world())).toEqual([]))
