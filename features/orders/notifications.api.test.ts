import { beforeAll, describe, expect, test } from 'vitest'
import { activate } from '#quality/support/activation-journey.ts'
import { readProviderRecords, sendNotification, setWebhookMode } from '#quality/support/simulators.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
beforeAll(() => setWebhookMode(world(), { mode: 'hold' }))

const accepted = { status: 200, body: '[accepted]' }
const price = { value: 2200, currency: 'NZD' }
const otherAmounts = [
  { value: 2201, currency: 'NZD' },
  { value: 1, currency: 'NZD' },
  { value: 0, currency: 'NZD' },
  { value: -2200, currency: 'NZD' },
  { value: 2200, currency: 'AUD' },
  { value: 2200, currency: '' },
]

async function anOrder(): Promise<string> {
  const { done, orderCode } = await activate(world())
  expect(done.state).toBe('SUCCESSFUL')
  return orderCode
}

const attemptOf = (orderCode: string) =>
  world()
    .db.selectFrom('payment_attempts')
    .selectAll()
    .where('reference', '=', `${orderCode}-1`)
    .executeTakeFirstOrThrow()

async function tasksOf(orderCode: string): Promise<string[]> {
  const rows = await world()
    .db.selectFrom('operator_tasks')
    .innerJoin('orders', 'orders.id', 'order_id')
    .select('reason')
    .where('order_code', '=', orderCode)
    .orderBy('operator_tasks.created_at')
    .execute()
  return rows.map(({ reason }) => reason)
}

describe.each(['CAPTURE', 'CAPTURE_FAILED', 'REFUND', 'REFUND_FAILED'])('signed %s notification', (eventCode) => {
  test('a capture with the wrong amount or currency, or a refund we did not request, changes no payment and creates a task', async () => {
    const orderCode = await anOrder()
    const before = await attemptOf(orderCode)
    for (const amount of otherAmounts) {
      for (const success of ['true', 'false'] as const)
        expect(
          await sendNotification(world(), {
            eventCode,
            success,
            merchantReference: `${orderCode}-1`,
            amount,
            reason: 'made up',
          }),
        ).toEqual(accepted)
    }
    expect(await attemptOf(orderCode)).toEqual(before)
    expect(await tasksOf(orderCode)).toEqual(
      otherAmounts.map(({ value, currency }) =>
        eventCode.startsWith('REFUND')
          ? `the gateway reported ${eventCode} of ${value} cents ${currency} for ${orderCode}-1, but we made no such refund`
          : `the gateway reported ${eventCode} of another amount for ${orderCode}-1: ${value} cents ${currency}`,
      ),
    )
    expect((await readProviderRecords(world(), orderCode)).gateway).toMatchObject([{ captured: 2200, refunded: 0 }])
  })
})

test('a correct capture notification is still accepted after an incorrect one with the same reference', async () => {
  const orderCode = await anOrder()
  const capture = { eventCode: 'CAPTURE', merchantReference: `${orderCode}-1`, pspReference: `psp-of-${orderCode}` }
  await sendNotification(world(), { ...capture, amount: { value: 1, currency: 'NZD' } })
  expect((await attemptOf(orderCode)).captured_at).toBeNull()
  expect(await sendNotification(world(), { ...capture, amount: price })).toEqual(accepted)
  expect((await attemptOf(orderCode)).captured_at).not.toBeNull()
  expect(await tasksOf(orderCode)).toHaveLength(1)
})

test('a failed capture with the correct amount is recorded and creates a task', async () => {
  const orderCode = await anOrder()
  await sendNotification(world(), {
    eventCode: 'CAPTURE_FAILED',
    merchantReference: `${orderCode}-1`,
    amount: price,
    reason: 'gone',
  })
  expect((await attemptOf(orderCode)).capture_failed_at).not.toBeNull()
  expect(await tasksOf(orderCode)).toEqual([`the capture of ${orderCode}-1 failed: gone`])
})

describe.each(['CANCELLATION', 'TECHNICAL_CANCEL'])('signed %s notification of a failure', (eventCode) => {
  test('a report of a failed cancellation may leave out the amount, but a report with a wrong amount creates another task', async () => {
    const orderCode = await anOrder()
    const failed = { eventCode, merchantReference: `${orderCode}-1`, success: 'false', reason: 'too late' } as const
    await sendNotification(world(), { ...failed, amount: { value: 0, currency: 'XXX' } })
    await sendNotification(world(), { ...failed, amount: price })
    await sendNotification(world(), { ...failed, amount: { value: 2300, currency: 'NZD' } })
    expect(await tasksOf(orderCode)).toEqual([
      `${eventCode} of ${orderCode}-1 failed: too late`,
      `the gateway reported ${eventCode} of another amount for ${orderCode}-1: 2300 cents NZD`,
    ])
  })
})

test('an authorisation notification with a different amount creates a task', async () => {
  const orderCode = await anOrder()
  for (const amount of otherAmounts)
    expect(
      await sendNotification(world(), { eventCode: 'AUTHORISATION', merchantReference: `${orderCode}-1`, amount }),
    ).toEqual(accepted)
  expect(await tasksOf(orderCode)).toEqual([`the gateway authorised another amount for ${orderCode}-1`])
})

test('the webhook accepts a gateway notification about an unknown order', async () => {
  expect(
    await sendNotification(world(), { eventCode: 'CAPTURE', merchantReference: 'FT0000000000-1', amount: price }),
  ).toEqual(accepted)
})
