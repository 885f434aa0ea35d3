/* @module-tag slow */
import { expect, onTestFinished, test } from 'vitest'
import { systemActor } from '#kit/server/actor.ts'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import { activate, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { failGateway, readProviderRecords, setWebhookMode } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()

const tasksOf = async (code: string) =>
  (
    await world()
      .db.selectFrom('operator_tasks')
      .innerJoin('orders', 'orders.id', 'operator_tasks.order_id')
      .select(['operator_tasks.kind', 'operator_tasks.reason'])
      .where('order_code', '=', code)
      .execute()
  ).map(({ kind, reason }) => `${kind}: ${reason}`)
const hasTask = (code: string, words: string) =>
  pollUntil(async () => (await tasksOf(code)).some((task) => task.includes(words)))

test('creates a task if the response to a capture arrives after its confirmation and has a different reference', async () => {
  await setWebhookMode(world(), { mode: 'normal' })
  const { card } = world().deps
  const { capture } = card
  onTestFinished(() => void Object.assign(card, { capture }))
  card.capture = async (modification) => {
    const answer = await capture(modification)
    await pollUntil(() =>
      world()
        .db.selectFrom('payment_attempts')
        .select('captured_at')
        .where('reference', '=', modification.reference)
        .where('captured_at', 'is not', null)
        .executeTakeFirst(),
    )
    return answer.outcome === 'received' ? { ...answer, pspReference: 'ANOTHERREFERENCE' } : answer
  }
  const { orderCode } = await activate(world())
  await pollUntil(async () => (await tasksOf(orderCode)).length > 0)
  expect(await tasksOf(orderCode)).toEqual([
    expect.stringMatching(/^payment: .* with the reference ANOTHERREFERENCE, and reports it under another one/),
  ])
  expect((await readProviderRecords(world(), orderCode)).gateway).toMatchObject([{ captured: 2200 }])
})

test('creates a task if a refund is confirmed under a different reference from the one in its response', async () => {
  await setWebhookMode(world(), { mode: 'normal' })
  const { orderCode } = await activate(world())
  await setWebhookMode(world(), { mode: 'hold' })
  await failGateway(world(), { operation: 'refund', kind: 'other_reference' })
  expect(await refundOrder(world().deps, orderCode, systemActor)).toMatchObject({ outcome: 'received' })
  await setWebhookMode(world(), { mode: 'normal', release: true })
  await hasTask(orderCode, 'refund: the gateway answered for the refund')
  expect((await readProviderRecords(world(), orderCode)).gateway).toMatchObject([{ refunded: 2200 }])
})

// This test must be last, because its order keeps sending requests to the gateway after the test has finished.
test('creates a task if an authorisation is confirmed under a different reference from the one in its response', async () => {
  await setWebhookMode(world(), { mode: 'normal' })
  await failGateway(world(), { operation: 'authorise', kind: 'other_reference' })
  const traveller = await advanceWizardTo(world(), 'PAYMENT')
  await traveller.pay()
  const { order_code: code } = await world()
    .db.selectFrom('orders')
    .select('order_code')
    .where('email', '=', traveller.email)
    .executeTakeFirstOrThrow()
  const task = `payment: the gateway answered for the payment ${code}-1 with the reference`
  await hasTask(code, task)
  expect(await tasksOf(code)).toContainEqual(expect.stringContaining(task))
})
