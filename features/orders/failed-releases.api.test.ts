/* @module-tag slow */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { systemActor } from '#kit/server/actor.ts'
import type { ModificationOutcome } from '#providers/card/card.port.ts'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import { activate, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { loseResponseTo } from '#quality/support/lost-response.ts'
import { failNetwork, readProviderRecords, sendNotification, setWebhookMode } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
beforeEach(() => setWebhookMode(world(), { mode: 'hold' }))

const amount = { value: 2200, currency: 'NZD' }
const failed = { success: 'false', reason: 'Insufficient balance on payment' } as const
const attemptsOf = (orderCode: string) =>
  world().db.selectFrom('payment_attempts').selectAll().where('reference', '=', `${orderCode}-1`)
const callsOf = (orderCode: string) =>
  world().db.selectFrom('unconfirmed_calls').selectAll().where('payment', '=', `${orderCode}-1`).execute()

async function tasksOf(orderCode: string): Promise<string[]> {
  const rows = await world()
    .db.selectFrom('operator_tasks')
    .innerJoin('orders', 'orders.id', 'order_id')
    .select('reason')
    .where('order_code', '=', orderCode)
    .where('done_at', 'is', null)
    .orderBy('operator_tasks.created_at')
    .execute()
  return rows.map(({ reason }) => reason)
}

const tell = (
  orderCode: string,
  item: { eventCode: string; success?: 'false'; reason?: string; pspReference?: string; originalReference?: string },
) => sendNotification(world(), { merchantReference: `${orderCode}-1`, amount, ...item })

/**
 * Creates an order whose payment we abandon. The gateway cancels the payment by our reference and then reports that it was authorised, so
 * we cancel it a second time, which has no effect.
 * @param meanwhile runs after both cancellations, before the response to the first one is stored
 */
async function givenUp(meanwhile: (orderCode: string) => Promise<unknown> = async () => {}): Promise<string> {
  const traveller = await advanceWizardTo(world(), 'PAYMENT')
  const orderCode: string = (await loseResponseTo(world(), () => traveller.pay())).body.order_code
  const { card } = world().deps
  const { technicalCancel } = card
  onTestFinished(() => void Object.assign(card, { technicalCancel }))
  card.technicalCancel = async (modification): Promise<ModificationOutcome> => {
    const answer = await technicalCancel(modification)
    if (modification.originalReference !== `${orderCode}-1`) return answer
    const [line] = (await readProviderRecords(world(), orderCode)).gateway
    await tell(orderCode, { eventCode: 'AUTHORISATION', pspReference: line?.psp_reference ?? '' })
    await meanwhile(orderCode)
    return answer
  }
  await world()
    .db.updateTable('payment_attempts')
    .set({ resolve_by: new Date(0) })
    .where('reference', '=', `${orderCode}-1`)
    .execute()
  expect((await traveller.visitor.post(`/api/orders/${orderCode}/resume/`)).status).toBe(400)
  return orderCode
}

describe('second cancellations that fail because the payment’s first cancellation has already released the money', () => {
  test.each([
    ['after', ['TECHNICAL_CANCEL', 'CANCELLATION']],
    ['before', ['CANCELLATION', 'TECHNICAL_CANCEL']],
  ])('a failed second cancellation creates no task if it is reported %s the first one’s success', async (_, events) => {
    const orderCode = await givenUp()
    for (const eventCode of events) {
      await tell(orderCode, { eventCode, ...(eventCode === 'CANCELLATION' && failed) })
      expect(await tasksOf(orderCode)).toEqual([])
    }
    expect(await callsOf(orderCode)).toEqual([])
    expect((await readProviderRecords(world(), orderCode)).gateway).toMatchObject([{ captured: 0, cancelled: 2200 }])
  })

  test('a failed second cancellation creates no task if the failure is reported before the response to the first request', async () => {
    const orderCode = await givenUp((code) => tell(code, { eventCode: 'CANCELLATION', ...failed }))
    expect(await tasksOf(orderCode)).toEqual([])
    await tell(orderCode, { eventCode: 'TECHNICAL_CANCEL' })
    expect(await tasksOf(orderCode)).toEqual([])
    expect(await callsOf(orderCode)).toEqual([])
  })
})

describe('two cancellations of the same payment that both fail', () => {
  test.each([
    ['TECHNICAL_CANCEL', 'CANCELLATION'],
    ['CANCELLATION', 'TECHNICAL_CANCEL'],
  ])(
    'two failed cancellations create one task after the second failure is reported (%s, then %s)',
    async (...events) => {
      const orderCode = await givenUp()
      for (const eventCode of events) await tell(orderCode, { eventCode, ...failed })
      expect(await tasksOf(orderCode)).toEqual([`${events[1]} of ${orderCode}-1 failed: ${failed.reason}`])
    },
  )

  test('two failed cancellations create a task even if both failures are reported before the response to the first request', async () => {
    const orderCode = await givenUp(async (code) => {
      await tell(code, { eventCode: 'TECHNICAL_CANCEL', ...failed })
      await tell(code, { eventCode: 'CANCELLATION', ...failed })
    })
    expect(await tasksOf(orderCode)).not.toEqual([])
  })
})

test('the task about a failed cancellation is closed when another cancellation of the same payment succeeds', async () => {
  const { orderCode } = await activate(world())
  await tell(orderCode, { eventCode: 'CANCELLATION', ...failed })
  expect(await tasksOf(orderCode)).toHaveLength(1)
  await tell(orderCode, { eventCode: 'CANCELLATION' })
  expect(await tasksOf(orderCode)).toEqual([])
})

test('cancelling a payment’s late authorisation does not close the task about its first authorisation’s failed cancellation', async () => {
  const { orderCode } = await activate(world())
  const { psp_reference: first } = await attemptsOf(orderCode).executeTakeFirstOrThrow()
  await tell(orderCode, { eventCode: 'CANCELLATION', originalReference: first ?? '', ...failed })
  expect(await tasksOf(orderCode)).toHaveLength(1)
  await tell(orderCode, { eventCode: 'CANCELLATION', originalReference: 'LATEAUTHORISATION1' })
  expect(await tasksOf(orderCode)).toHaveLength(1)
  expect(await attemptsOf(orderCode).executeTakeFirstOrThrow()).toMatchObject({ released_at: null })
})

describe('captures that fail', () => {
  test('a failed capture creates no task if the payment had already been cancelled', async () => {
    await failNetwork(world(), { operation: 'add_plan', kind: 'fail_permanent' })
    const { orderCode, done } = await activate(world())
    expect(done.state).toBe('PERMANENTLY_FAILED')
    await pollUntil(async () => (await attemptsOf(orderCode).executeTakeFirstOrThrow()).state === 'cancelled')
    await tell(orderCode, { eventCode: 'CAPTURE', ...failed })
    expect(await tasksOf(orderCode)).toEqual([])
  })

  test('a failed capture creates no task if another capture has succeeded, and the payment stays captured', async () => {
    const { orderCode } = await activate(world())
    const { capture_psp_reference: first } = await attemptsOf(orderCode).executeTakeFirstOrThrow()
    await tell(orderCode, { eventCode: 'CAPTURE', pspReference: first ?? '' })
    await tell(orderCode, { eventCode: 'CAPTURE', ...failed })
    expect(await tasksOf(orderCode)).toEqual([])
    expect(await attemptsOf(orderCode).executeTakeFirstOrThrow()).toMatchObject({ capture_failed_at: null })
  })

  test('a task is created if a capture that succeeded is later reported as failed', async () => {
    const { orderCode } = await activate(world())
    const { capture_psp_reference: first } = await attemptsOf(orderCode).executeTakeFirstOrThrow()
    await tell(orderCode, { eventCode: 'CAPTURE', pspReference: first ?? '' })
    await tell(orderCode, { eventCode: 'CAPTURE_FAILED', pspReference: first ?? '', ...failed })
    expect(await tasksOf(orderCode)).toEqual([`the capture of ${orderCode}-1 failed: ${failed.reason}`])
  })
})

test('a notification that a different refund failed creates no task and does not change the confirmed refund', async () => {
  const { orderCode } = await activate(world())
  expect(await refundOrder(world().deps, orderCode, systemActor)).toMatchObject({ outcome: 'received' })
  const refunds = () =>
    world()
      .db.selectFrom('refunds')
      .selectAll('refunds')
      .innerJoin('orders', 'orders.id', 'order_id')
      .where('order_code', '=', orderCode)
      .execute()
  const [first] = await refunds()
  await tell(orderCode, { eventCode: 'REFUND', pspReference: first?.psp_reference ?? '' })
  await tell(orderCode, { eventCode: 'REFUND', ...failed })
  expect(await refunds()).toMatchObject([{ state: 'received' }])
  expect(await tasksOf(orderCode)).toEqual([])
})
