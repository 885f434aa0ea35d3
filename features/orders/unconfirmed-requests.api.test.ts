/* @module-tag slow */
import { afterEach, describe, expect, test } from 'vitest'
import { systemActor } from '#kit/server/actor.ts'
import { toDate } from '#kit/server/clock.ts'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import { activate, advanceWizardTo } from '#quality/support/activation-journey.ts'
import {
  clearFailures,
  failGateway,
  failNetwork,
  readProviderRecords,
  sendNotification,
  setWebhookMode,
} from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

/*
 * In these tests a webhook arrives immediately or is held back, so there is no need to wait for a webhook in transit before repeating a
 * request.
 */
const world = useWorld({ thresholds: { notificationTransitMs: 0 } })
afterEach(async () => {
  await setWebhookMode(world(), { mode: 'normal', release: true })
  await clearFailures(world())
})

const price = { value: 2200, currency: 'NZD' }
const callsOf = (orderCode: string) =>
  world().db.selectFrom('unconfirmed_calls').selectAll().where('payment', '=', `${orderCode}-1`).execute()
const callOf = async (orderCode: string) => (await callsOf(orderCode))[0]
const tasksOf = async (orderCode: string): Promise<string[]> =>
  (
    await world()
      .db.selectFrom('operator_tasks')
      .innerJoin('orders', 'orders.id', 'order_id')
      .select(['operator_tasks.kind', 'reason'])
      .where('order_code', '=', orderCode)
      .where('done_at', 'is', null)
      .orderBy('operator_tasks.created_at')
      .execute()
  ).map(({ kind, reason }) => `${kind}: ${reason}`)
const gatewayOf = async (orderCode: string) => (await readProviderRecords(world(), orderCode)).gateway

async function withLostFailure(): Promise<string> {
  await failGateway(world(), { operation: 'capture', kind: 'refuse_untold' })
  const { done, orderCode } = await activate(world())
  expect(done.state).toBe('SUCCESSFUL')
  expect(await gatewayOf(orderCode)).toMatchObject([{ captured: 0 }])
  return orderCode
}

const isAsked = (orderCode: string) =>
  pollUntil(async () => {
    const call = await callOf(orderCode)
    return call?.step === 'report' && call.retry_at === null
  })

const neverConfirmed = (code: string) =>
  `payment: ${code} ${code}-1 is captured in our records, but the gateway has never confirmed it`

describe('failed captures whose notification is lost', () => {
  test('an unconfirmed capture is repeated after an hour, and a task is open from the next day until the outcome is known', async () => {
    const orderCode = await withLostFailure()
    expect(await callOf(orderCode)).toMatchObject({ kind: 'capture', step: 'ask', retry_at: null })
    await world().advance('PT61M')
    await isAsked(orderCode)
    expect(await tasksOf(orderCode)).toEqual([])
    await world().advance('PT23H')
    expect(await tasksOf(orderCode)).toEqual([neverConfirmed(orderCode)])
    await world().advance('P2D')
    expect(await tasksOf(orderCode)).toEqual([neverConfirmed(orderCode)])
    await sendNotification(world(), {
      eventCode: 'CAPTURE',
      success: 'false',
      merchantReference: `${orderCode}-1`,
      amount: price,
      reason: 'late, but not never',
    })
    expect(await tasksOf(orderCode)).toEqual([`payment: the capture of ${orderCode}-1 failed: late, but not never`])
    expect(await callsOf(orderCode)).toEqual([])
  })

  test('if the gateway refuses a repeated capture, a task is created immediately', async () => {
    const orderCode = await withLostFailure()
    await failGateway(world(), { operation: 'capture', kind: 'refuse_at_once', reference: `${orderCode}-1` })
    await world().advance('PT61M')
    const refusal = `payment: the gateway refuses capture ${orderCode}-1, which it had taken charge of: 167`
    await pollUntil(async () => (await tasksOf(orderCode)).length > 0)
    expect(await tasksOf(orderCode)).toEqual([refusal])
    await sendNotification(world(), { eventCode: 'CAPTURE', merchantReference: `${orderCode}-1`, amount: price })
    expect(await tasksOf(orderCode)).toEqual([])
  })

  test('an unconfirmed capture is repeated after a server error until the gateway gives a definite response', async () => {
    const orderCode = await withLostFailure()
    await failGateway(world(), { operation: 'capture', kind: 'error_500', times: 1, reference: `${orderCode}-1` })
    await failGateway(world(), { operation: 'capture', kind: 'refuse_at_once', reference: `${orderCode}-1` })
    await world().advance('PT61M')
    await pollUntil(async () => (await tasksOf(orderCode)).length > 0)
    expect(await tasksOf(orderCode)).toEqual([expect.stringContaining('refuses')])
  })

  test('a capture is not repeated after eight days, because the gateway may have forgotten its idempotency key', async () => {
    const orderCode = await withLostFailure()
    await world()
      .db.updateTable('unconfirmed_calls')
      .set({ acknowledged_at: toDate(Temporal.Now.instant().subtract({ hours: 24 * 8 })) })
      .where('payment', '=', `${orderCode}-1`)
      .execute()
    await failGateway(world(), { operation: 'capture', kind: 'refuse_at_once', reference: `${orderCode}-1` })
    await world().advance('PT25H')
    await pollUntil(async () => (await callOf(orderCode))?.retry_at === null)
    expect(await tasksOf(orderCode)).toEqual([neverConfirmed(orderCode)])
  })
})

describe('captures that the gateway confirms', () => {
  test('after a capture is confirmed, it is not repeated and no task is created', async () => {
    const { orderCode } = await activate(world())
    await pollUntil(async () => (await callsOf(orderCode)).length === 0)
    await world().advance('P2D')
    expect(await tasksOf(orderCode)).toEqual([])
  })

  test('a capture that is repeated because its confirmation is late takes the money only once', async () => {
    await setWebhookMode(world(), { mode: 'hold' })
    const { orderCode } = await activate(world())
    await world().advance('PT61M')
    await isAsked(orderCode)
    await setWebhookMode(world(), { mode: 'normal', release: true })
    await pollUntil(async () => (await callsOf(orderCode)).length === 0)
    await world().advance('P2D')
    expect(await tasksOf(orderCode)).toEqual([])
    expect(await gatewayOf(orderCode)).toMatchObject([{ authorised: 2200, captured: 2200, cancelled: 0 }])
  })

  test('a capture that is confirmed before its response arrives is not recorded as unconfirmed', async () => {
    await failGateway(world(), { operation: 'capture', kind: 'slow', delay_ms: 1_000 })
    const { orderCode } = await activate(world())
    expect(await callsOf(orderCode)).toEqual([])
  })

  test('a capture counts as confirmed if a process running an older version received its notification', async () => {
    const orderCode = await withLostFailure()
    const call = await callOf(orderCode)
    await world()
      .db.insertInto('gateway_notifications')
      .values({
        psp_reference: call?.psp_reference ?? '',
        event_code: 'CAPTURE',
        success: true,
        received_at: new Date(),
      })
      .execute()
    await world().advance('P2D')
    expect(await callsOf(orderCode)).toEqual([])
    expect(await tasksOf(orderCode)).toEqual([])
  })
})

test('a refund that has not been confirmed after about a day creates a task, which is closed when the refund is confirmed', async () => {
  const { orderCode } = await activate(world())
  await pollUntil(async () => (await callsOf(orderCode)).length === 0)
  await failGateway(world(), { operation: 'refund', kind: 'refuse_untold' })
  expect(await refundOrder(world().deps, orderCode, systemActor, { amountCents: 700 })).toMatchObject({
    outcome: 'received',
  })
  await world().advance('PT25H')
  const call = await callOf(orderCode)
  expect(await tasksOf(orderCode)).toEqual([
    `refund: the gateway has never confirmed the refund ${orderCode}-1-refund: its customer may not have the money`,
  ])
  await sendNotification(world(), {
    eventCode: 'REFUND',
    merchantReference: `${orderCode}-1`,
    pspReference: call?.psp_reference ?? '',
    amount: { value: 700, currency: 'NZD' },
  })
  expect(await tasksOf(orderCode)).toEqual([])
  expect(await callsOf(orderCode)).toEqual([])
})

test('a notification confirms only the refund that it names, not another refund for the same payment', async () => {
  const { orderCode } = await activate(world())
  await pollUntil(async () => (await callsOf(orderCode)).length === 0)
  await failGateway(world(), { operation: 'refund', kind: 'refuse_untold' })
  await refundOrder(world().deps, orderCode, systemActor, { amountCents: 700 })
  await refundOrder(world().deps, orderCode, systemActor, { amountCents: 700 })
  await pollUntil(async () => (await callsOf(orderCode)).length === 1)
  expect((await callOf(orderCode))?.reference).toBe(`${orderCode}-1-refund`)
})

test('a cancellation that has not been confirmed after about a day creates a task, because the money may still be reserved', async () => {
  await failNetwork(world(), { operation: 'add_plan', kind: 'fail_permanent' })
  await failGateway(world(), { operation: 'cancel', kind: 'refuse_untold' })
  const { done, orderCode } = await activate(world())
  expect(done.state).toBe('PERMANENTLY_FAILED')
  await pollUntil(async () => (await callsOf(orderCode)).length === 1)
  expect(await gatewayOf(orderCode)).toMatchObject([{ authorised: 2200, captured: 0, cancelled: 0 }])
  await world().advance('PT61M')
  await isAsked(orderCode)
  await world().advance('PT24H')
  expect(await tasksOf(orderCode)).toEqual([
    `payment: the gateway has never confirmed that ${orderCode}-1 was cancelled (${orderCode}-1-cancel): its money may still be reserved`,
  ])
  await sendNotification(world(), { eventCode: 'CANCELLATION', merchantReference: `${orderCode}-1`, amount: price })
  expect(await tasksOf(orderCode)).toEqual([])
})

test('a cancellation by our own payment reference that is not confirmed after about a day also creates a task', async () => {
  const traveller = await advanceWizardTo(world(), 'PAYMENT')
  await failGateway(world(), { operation: 'technicalCancel', kind: 'refuse_untold' })
  const { body } = await traveller.pay({ holder: 'HELD' })
  const orderCode = body.order_code as string
  await world()
    .db.updateTable('payment_attempts')
    .set({ resolve_by: new Date(0) })
    .where('reference', '=', `${orderCode}-1`)
    .execute()
  await pollUntil(async () => (await callsOf(orderCode)).length === 1)
  await world().advance('PT25H')
  expect(await tasksOf(orderCode)).toEqual([
    `payment: the gateway has never confirmed that ${orderCode}-1 was cancelled (${orderCode}-1-cancel): its money may still be reserved`,
  ])
  await sendNotification(world(), { eventCode: 'TECHNICAL_CANCEL', merchantReference: `${orderCode}-1`, amount: price })
  expect(await tasksOf(orderCode)).toEqual([])
})
