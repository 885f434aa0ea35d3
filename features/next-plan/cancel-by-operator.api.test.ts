/* @module-tag slow */
import { beforeEach, describe, expect, test } from 'vitest'
import { systemActor } from '#kit/server/actor.ts'
import { viewOrder } from '#desk/features/orders/server/order-view.ts'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import {
  advanceClockTo,
  readCharges,
  getLastDayAtHour,
  readEmails,
  readCustomerSchedule,
  setAutoRenewal,
} from '#quality/support/auto-renewal.ts'
import {
  createNextPlan,
  deleteTasks,
  readOrder,
  readRefundedCents,
  readService,
  type QueuedPlan,
} from '#quality/support/next-plan.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { failNetwork, sendRefundReturn, setWebhookMode } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { cancelQueuedPlanByOperator } from './server/next-plan.ts'

const world = useWorld()
beforeEach(() => setWebhookMode(world(), { mode: 'normal' }))

const cancelByOperator = async (orderCode: string) =>
  cancelQueuedPlanByOperator(world().deps, await readOrder(world(), orderCode), { by: 'operator', name: 'Hine' })

const completedCharge = (waiting: QueuedPlan) =>
  pollUntil(async () => (await readCharges(world(), waiting)).find(({ state }) => state === 'completed'))

async function anAutoRenewedPlan() {
  const waiting = await createNextPlan(world(), { buys: false })
  await setAutoRenewal(waiting, 'PUT')
  await advanceClockTo(world(), getLastDayAtHour(waiting, 10))
  return { waiting, charge: await completedCharge(waiting) }
}

const undoneBy = async (orderCode: string) => (await viewOrder(world(), orderCode))?.undone_by_cancel

const mailEndingIn = (waiting: QueuedPlan, end: string) =>
  pollUntil(async () => (await readEmails(world(), waiting)).find(({ subject }) => subject.endsWith(end)))

const autoRenewalOff = 'Auto-renewal is off, so we won’t charge your card again unless you enable it.'

describe('staff cancelling a customer’s next plan that was paid for by auto-renewal', () => {
  test('when staff cancel a next plan that was paid for by auto-renewal, auto-renewal is turned off and the charge refunded', async () => {
    const { waiting, charge } = await anAutoRenewedPlan()
    const { order_code: code, amount_cents: cents } = charge
    expect(await undoneBy(code)).toContain('auto-renewal is switched off, so the card is not charged again')
    expect(await cancelByOperator(code)).toBeNull()
    expect((await readCustomerSchedule(waiting)).auto_recharge_enabled).toBe(false)
    expect(
      await world()
        .db.selectFrom('audit_events')
        .select('actor')
        .where('event', '=', 'auto_renewal_disabled')
        .where('user_id', '=', waiting.customer.id)
        .execute(),
    ).toEqual([{ actor: 'operator:Hine' }])
    await pollUntil(async () => (await readRefundedCents(world(), code)) === cents)
    expect((await mailEndingIn(waiting, 'is cancelled')).text).toContain(autoRenewalOff)

    await advanceClockTo(world(), getLastDayAtHour(waiting, 10).add({ minutes: 30 }))
    await advanceClockTo(world(), getLastDayAtHour(waiting, 22))
    await advanceClockTo(world(), waiting.expiry.add({ days: 1 }))
    expect(await readService(waiting)).toMatchObject({ is_expired: true })
    expect(await readCharges(world(), waiting)).toHaveLength(1)
    expect(await readRefundedCents(world(), code)).toBe(cents)
    expect((await readEmails(world(), waiting)).filter(({ text }) => text.includes('We could not renew'))).toEqual([])
  })

  test('if the network refuses to remove a plan that staff cancelled, the customer is still told that auto-renewal is off', async () => {
    const { waiting, charge } = await anAutoRenewedPlan()
    await failNetwork(world(), { operation: 'remove_plan', kind: 'fail_permanent' })
    expect(await cancelByOperator(charge.order_code)).toBeNull()
    expect((await mailEndingIn(waiting, 'could not be cancelled')).text).toContain(autoRenewalOff)
    await advanceClockTo(world(), waiting.expiry.add({ hours: 1 }))
    expect(await readService(waiting)).toMatchObject({ is_expired: false })
    expect(await readRefundedCents(world(), charge.order_code)).toBe(0)
    await deleteTasks(world())
  })
})

test('after staff cancel a next plan that the customer bought, auto-renewal emails a new notice and charges 10 minutes later', async () => {
  const waiting = await createNextPlan(world(), { buys: false })
  await setAutoRenewal(waiting, 'PUT')
  const notices = async () =>
    (await readEmails(world(), waiting)).filter(({ subject }) => subject.includes('renews on'))
  await advanceClockTo(world(), getLastDayAtHour(waiting, 10).subtract({ days: 2 }))
  await pollUntil(async () => (await notices()).length === 1)
  const code = (await waiting.buy()).body.order_code as string
  await pollUntil(async () => (await readOrder(world(), code)).state === 'completed')
  await advanceClockTo(world(), getLastDayAtHour(waiting, 10))
  expect(await undoneBy(code)).toContain(
    'auto-renewal stays on: it emails the customer the amount before it charges the card for another plan',
  )
  expect(await cancelByOperator(code)).toBeNull()
  await pollUntil(async () => (await notices()).length === 2)
  await pollUntil(async () => (await readRefundedCents(world(), code)) === 3600)
  await world().advance('PT9M')
  expect(await readCharges(world(), waiting)).toEqual([])
  await world().advance('PT2M')
  await completedCharge(waiting)
  expect(await readCharges(world(), waiting)).toHaveLength(1)
})

test('staff cannot cancel a next plan while the customer is still owed an earlier refund of it that failed', async () => {
  const { orderCode: code } = await createNextPlan(world())
  expect(await refundOrder(world().deps, code, systemActor, { amountCents: 1000 })).toMatchObject({
    outcome: 'received',
  })
  await sendRefundReturn(world(), { reference: `${code}-1`, event: 'REFUND_FAILED', reason: 'Account closed' })
  const why = 'A refund of this order failed. Refund the customer again first, then cancel the next plan.'
  await pollUntil(async () => (await viewOrder(world(), code))?.cancel_why === why)
  expect(await cancelByOperator(code)).toBe(why)
  expect(await refundOrder(world().deps, code, systemActor)).toMatchObject({ outcome: 'received' })
  expect(await cancelByOperator(code)).toBeNull()
  await pollUntil(async () => (await readOrder(world(), code)).state === 'cancelled')
  await deleteTasks(world())
})

test('our records match the gateway’s and the network’s after staff have cancelled customers’ next plans', async () =>
  expect(await findFaultsWhenIdle(world())).toEqual([]))
