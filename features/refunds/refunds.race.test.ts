import { expect, test } from 'vitest'
import { systemActor } from '#kit/server/actor.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { activate } from '#quality/support/activation-journey.ts'
import { failGateway, readProviderRecords, sendRefundReturn, sendGatewayItems } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { listOrderRefunds } from './server/refunds.store.ts'
import { refundOrder, resolveRefund } from './server/refunds.ts'

const world = useWorld()
const orderId = async (code: string) =>
  (await world().db.selectFrom('orders').select('id').where('order_code', '=', code).executeTakeFirstOrThrow()).id
const notesOf = async (code: string) =>
  world()
    .db.selectFrom('invoices')
    .select('id')
    .where('order_id', '=', await orderId(code))
    .where('document_type', '=', 'credit')
    .execute()

test('twenty simultaneous refunds of one order refund it only once', async () => {
  const { orderCode } = await activate(world())
  const answers = await Promise.all(Array.from({ length: 20 }, () => refundOrder(world().deps, orderCode, systemActor)))
  expect(answers.filter(({ outcome }) => outcome === 'received')).toHaveLength(1)
  expect(answers.filter(({ outcome }) => outcome === 'impossible')).toHaveLength(19)
  expect((await readProviderRecords(world(), orderCode)).gateway).toMatchObject([{ captured: 2200, refunded: 2200 }])
  expect(await notesOf(orderCode)).toHaveLength(1)
})

test('repeated simultaneous refunds of $10.00 never exceed what was paid', async () => {
  const { orderCode } = await activate(world())
  const give = () => refundOrder(world().deps, orderCode, systemActor, { amountCents: 1000 })
  const received: string[] = []
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(Array.from({ length: 20 }, give))
    received.push(...answers.flatMap((answer) => (answer.outcome === 'received' ? [answer.creditCode] : [])))
    expect(answers.filter(({ outcome }) => outcome !== 'received' && outcome !== 'impossible')).toEqual([])
  }
  expect(new Set(received).size).toBe(2)
  expect((await readProviderRecords(world(), orderCode)).gateway).toMatchObject([{ captured: 2200, refunded: 2000 }])
  expect(await notesOf(orderCode)).toHaveLength(2)
})

test('simultaneous refunds of different amounts use up the payment without exceeding it', async () => {
  const { orderCode } = await activate(world())
  for (let round = 0; round < 12; round++)
    await Promise.all(
      [700, 300, 1100, 500].map((amountCents) => refundOrder(world().deps, orderCode, systemActor, { amountCents })),
    )
  const given = (await listOrderRefunds(world().db, await orderId(orderCode))).map(({ amount_cents }) => amount_cents)
  const sum = given.reduce((all, cents) => all + cents, 0)
  expect(sum).toBeLessThanOrEqual(2200)
  expect(sum).toBeGreaterThan(2200 - 300)
  expect((await readProviderRecords(world(), orderCode)).gateway).toMatchObject([{ captured: 2200, refunded: sum }])
})

test('twenty simultaneous attempts to resolve an unanswered refund create one credit note', async () => {
  const { orderCode } = await activate(world())
  await failGateway(world(), { operation: 'refund', kind: 'lost_answer' })
  expect(await refundOrder(world().deps, orderCode, systemActor)).toEqual({ outcome: 'unknown' })
  const [refund] = await listOrderRefunds(world().db, await orderId(orderCode))
  if (!refund) throw new Error('there is no refund')
  const answers = await Promise.all(Array.from({ length: 20 }, () => resolveRefund(world().deps, refund)))
  const codes = answers.flatMap((answer) => (answer.outcome === 'received' ? [answer.creditCode] : []))
  expect(codes.length).toBeGreaterThan(0)
  expect(new Set(codes).size).toBe(1)
  await pollUntil(async () => (await listOrderRefunds(world().db, refund.order_id)).at(-1)?.state === 'received')
  expect((await readProviderRecords(world(), orderCode)).gateway).toMatchObject([{ captured: 2200, refunded: 2200 }])
  expect(await notesOf(orderCode)).toHaveLength(1)
})

test('a refund that fails during other refund requests is repeated only once, and the total never exceeds the payment', async () => {
  const { orderCode } = await activate(world())
  const id = await orderId(orderCode)
  const reference = `${orderCode}-1`
  const told = async (name: string) =>
    world()
      .db.selectFrom('order_events')
      .select('subject')
      .where('order_id', '=', id)
      .where('kind', '=', 'notification')
      .where('name', '=', name)
      .orderBy('id')
      .execute()
  expect(await refundOrder(world().deps, orderCode, systemActor, { amountCents: 1500 })).toMatchObject({
    outcome: 'received',
  })
  await pollUntil(async () => (await told('REFUND')).length > 0)
  const [first] = await told('REFUND')
  const give = () => Promise.all(Array.from({ length: 6 }, () => refundOrder(world().deps, orderCode, systemActor)))
  const answers = (
    await Promise.all([
      give(),
      sendRefundReturn(world(), { reference, event: 'REFUND_FAILED', value: 1500 }).then(() => []),
      give(),
      sendGatewayItems(world(), [
        { event: 'REFUNDED_REVERSED', reference, value: 1500, psp_reference: first?.subject ?? '' },
      ]).then(() => []),
      give(),
    ])
  ).flat()
  expect(answers.every(({ outcome }) => outcome === 'received' || outcome === 'impossible')).toBe(true)
  await pollUntil(async () => (await told('REFUND_FAILED')).length + (await told('REFUNDED_REVERSED')).length === 2)
  for (let times = 0; times < 2; times++) await refundOrder(world().deps, orderCode, systemActor)
  expect(
    (await listOrderRefunds(world().db, id)).map(({ state, amount_cents }) => `${state} ${amount_cents}`).sort(),
  ).toEqual(['received 1500', 'received 700'])
  expect((await readProviderRecords(world(), orderCode)).gateway).toMatchObject([{ captured: 2200, refunded: 2200 }])
  expect(await notesOf(orderCode)).toHaveLength(2)
})

test('a successful refund leaves no open task, even if a concurrent request for the same refund gets no answer', async () => {
  const { orderCode } = await activate(world())
  await failGateway(world(), { operation: 'refund', kind: 'lost_answer' })
  await refundOrder(world().deps, orderCode, systemActor)
  const [refund] = await listOrderRefunds(world().db, await orderId(orderCode))
  if (!refund) throw new Error('there is no refund')
  const longAgo = { ...refund, created_at: new Date(refund.created_at.getTime() - 3_600_000) }
  const { card } = world().deps
  const late: typeof card = {
    ...card,
    async refund() {
      expect(await resolveRefund(world().deps, refund)).toMatchObject({ outcome: 'received' })
      return { outcome: 'unknown', why: 'no answer' }
    },
  }
  await resolveRefund({ ...world().deps, card: late }, longAgo)
  const tasks = world().db.selectFrom('operator_tasks').select('reason').where('order_id', '=', refund.order_id)
  expect(await tasks.where('done_at', 'is', null).execute()).toEqual([])
})

test('our records match the gateway’s and the network’s after simultaneous refunds', async () =>
  expect(await findFaultsWhenIdle(world())).toEqual([]))
