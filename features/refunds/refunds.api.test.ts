import { describe, expect, test } from 'vitest'
import { systemActor } from '#kit/server/actor.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { type Customer, makeCustomer } from '#quality/support/customer.ts'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import {
  clearFailures,
  failGateway,
  failNetwork,
  readProviderRecords,
  setWebhookMode,
} from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { listOrderRefunds } from './server/refunds.store.ts'
import { refundOrder } from './server/refunds.ts'

const world = useWorld()
const refund = (orderCode: string, wish = {}) => refundOrder(world().deps, orderCode, systemActor, wish)

async function aBuyer(
  wishes: Parameters<typeof makeCustomer>[1] = { card: true },
): Promise<Customer & { service: string; orderCode: string }> {
  const customer = await makeCustomer(world(), wishes)
  const [service] = customer.services
  if (!service) throw new Error('there is no service')
  return { ...customer, service: service.id, orderCode: service.orderCode }
}

const orderOf = (orderCode: string) =>
  world().db.selectFrom('orders').selectAll().where('order_code', '=', orderCode).executeTakeFirstOrThrow()
const rowOf = async (orderCode: string) => (await listOrderRefunds(world().db, (await orderOf(orderCode)).id)).at(-1)
const tasksOf = async (orderCode: string) =>
  (
    await world()
      .db.selectFrom('operator_tasks')
      .select('reason')
      .where('order_id', '=', (await orderOf(orderCode)).id)
      .where('done_at', 'is', null)
      .execute()
  ).map(({ reason }) => reason)
const nothingSent = async (orderCode: string) =>
  expect((await readProviderRecords(world(), orderCode)).gateway.every(({ refunded }) => refunded === 0)).toBe(true)

describe('refunding an order', () => {
  test('a full refund creates a credit note and an email, and leaves the service unchanged', async () => {
    const { visitor, email, service, orderCode } = await aBuyer()
    const before = (await visitor.get('/api/services/')).body
    const answer = await refund(orderCode)
    expect(answer).toEqual({ outcome: 'received', creditCode: expect.stringMatching(/^CN[\dA-Z]{10}$/) })
    const creditCode = answer.outcome === 'received' ? answer.creditCode : ''
    expect((await readProviderRecords(world(), orderCode)).gateway).toMatchObject([{ captured: 2200, refunded: 2200 }])
    expect(await rowOf(orderCode)).toMatchObject({
      state: 'received',
      reference: `${orderCode}-1-refund`,
      amount_cents: 2200,
      psp_reference: expect.stringMatching(/^\w{16}$/),
      retry_at: null,
    })

    const { body } = await visitor.get(`/api/account/invoices/${service}/`)
    expect(
      body.map(({ order_code, total_price, document_type }: Record<string, string>) => [
        order_code,
        total_price,
        document_type,
      ]),
    ).toEqual([
      [creditCode, '-22.00', 'credit'],
      [orderCode, '22.00', 'invoice'],
    ])
    const mail = await pollUntil(async () =>
      (await world().mailTo(email)).find(({ subject }) => subject === 'Your refund of $22.00 NZD'),
    )
    expect(mail.text).toContain(`Credit note: ${creditCode}`)
    expect(mail.attachments.map(({ filename }) => filename)).toEqual([`tax-credit-note-${creditCode}.pdf`])
    expect((await visitor.get('/api/services/')).body).toEqual(before)
    const trail = await world()
      .db.selectFrom('audit_events')
      .select('event')
      .where('user_id', '=', (await orderOf(orderCode)).user_id)
      .where('event', 'like', '%refund%')
      .orderBy('id')
      .execute()
    expect(trail).toEqual([{ event: 'refund_requested' }, { event: 'order_refunded' }])
  })

  test('rejects a second refund of a fully refunded order', async () => {
    const { orderCode } = await aBuyer()
    await refund(orderCode)
    expect(await refund(orderCode)).toEqual({ outcome: 'impossible', why: 'This order was already refunded.' })
    expect((await readProviderRecords(world(), orderCode)).gateway).toMatchObject([{ captured: 2200, refunded: 2200 }])
  })

  for (const { kind, tags } of [
    { kind: 'lost_request', tags: ['slow'] },
    { kind: 'lost_answer', tags: [] },
    { kind: 'error_500', tags: ['slow'] },
  ] as const)
    test(
      `a refund is repeated with the same idempotency key after a ${kind} until its outcome is known`,
      { tags: [...tags] },
      async () => {
        const { orderCode } = await aBuyer()
        await failGateway(world(), { operation: 'refund', kind, times: 1000 })
        expect(await refund(orderCode)).toEqual({ outcome: 'unknown' })
        const { idempotency_key } = (await rowOf(orderCode)) ?? {}
        expect(await refund(orderCode)).toEqual({
          outcome: 'impossible',
          why: 'A refund of this order is already in progress.',
        })
        await clearFailures(world())
        await pollUntil(async () => (await rowOf(orderCode))?.state === 'received')
        expect(await rowOf(orderCode)).toMatchObject({ idempotency_key, reference: `${orderCode}-1-refund` })
        expect((await readProviderRecords(world(), orderCode)).gateway).toMatchObject([
          { captured: 2200, refunded: 2200 },
        ])
        expect(await tasksOf(orderCode)).toEqual([])
      },
    )

  test(
    'a refund that stays unanswered for half an hour creates one task and is still retried',
    { tags: ['slow'] },
    async () => {
      const { orderCode } = await aBuyer()
      await failGateway(world(), { operation: 'refund', kind: 'lost_request', times: 1000 })
      await refund(orderCode)
      const change = (values: { created_at?: Date; retry_at: Date }) =>
        world().db.updateTable('refunds').set(values).where('reference', '=', `${orderCode}-1-refund`).execute()
      await change({ created_at: new Date(Date.now() - 31 * 60_000), retry_at: new Date() })
      await pollUntil(async () => (await tasksOf(orderCode)).length > 0)
      expect(await tasksOf(orderCode)).toEqual([`the refund ${orderCode}-1-refund has no answer after 30 minutes`])
      await clearFailures(world())
      await change({ retry_at: new Date() })
      await pollUntil(async () => (await rowOf(orderCode))?.state === 'received')
      expect(await tasksOf(orderCode)).toEqual([])
    },
  )

  test(
    'a refund that the gateway rejects creates a task but no credit note, and is repeated with a new idempotency key',
    { tags: ['slow'] },
    async () => {
      const { visitor, service, orderCode } = await aBuyer()
      const { id } = await orderOf(orderCode)
      const { psp_reference: known } = await world()
        .db.selectFrom('payment_attempts')
        .select('psp_reference')
        .where('order_id', '=', id)
        .executeTakeFirstOrThrow()
      const setReference = (psp_reference: string | null) =>
        world().db.updateTable('payment_attempts').set({ psp_reference }).where('order_id', '=', id).execute()
      await setReference('AAAAAAAAAAAAAAAA')
      expect(await refund(orderCode)).toEqual({ outcome: 'refused', code: expect.stringContaining('167') })
      const refused = await rowOf(orderCode)
      expect(refused).toMatchObject({ state: 'refused', retry_at: null })
      expect(await tasksOf(orderCode)).toEqual([
        expect.stringContaining(`the gateway refused the refund ${orderCode}-1-refund`),
      ])
      expect((await visitor.get(`/api/account/invoices/${service}/`)).body).toHaveLength(1)

      await setReference(known)
      expect(await refund(orderCode)).toMatchObject({ outcome: 'received' })
      const again = await rowOf(orderCode)
      expect(again).toMatchObject({ state: 'received', attempt: 2, reference: `${orderCode}-1-refund-2` })
      expect(again?.idempotency_key).not.toBe(refused?.idempotency_key)
      expect(await tasksOf(orderCode)).toEqual([])
    },
  )

  test(
    'a refund that fails after it was accepted must be repeated in full before any other refund',
    { tags: ['slow'] },
    async () => {
      const { orderCode, email } = await aBuyer()
      await failGateway(world(), { operation: 'refund', kind: 'refuse' })
      expect(await refund(orderCode, { amountCents: 1500 })).toMatchObject({ outcome: 'received' })
      await pollUntil(async () =>
        (await world().mailTo(email)).some(({ subject }) => subject.startsWith('Your refund')),
      )
      expect(await pollUntil(async () => (await tasksOf(orderCode)).at(0))).toBe(
        `the refund ${orderCode}-1-refund of $15.00 did not reach the customer, who is still owed it`,
      )
      await nothingSent(orderCode)
      expect(await rowOf(orderCode)).toMatchObject({ state: 'returned', retry_at: null })

      expect(await refund(orderCode, { amountCents: 1000 })).toEqual({
        outcome: 'impossible',
        why: 'A refund of $15.00 was returned, so we still owe the customer that amount. Refund it first.',
      })
      expect(await refund(orderCode)).toMatchObject({ outcome: 'received' })
      expect(await rowOf(orderCode)).toMatchObject({ state: 'received', attempt: 2, amount_cents: 1500 })
      expect((await readProviderRecords(world(), orderCode)).gateway).toMatchObject([
        { captured: 2200, refunded: 1500 },
      ])
      expect(await tasksOf(orderCode)).toEqual([])
    },
  )

  test('a duplicate webhook about a refund does not create an operator task', { tags: ['slow'] }, async () => {
    await setWebhookMode(world(), { mode: 'duplicate' })
    const { orderCode } = await aBuyer()
    expect(await refund(orderCode)).toMatchObject({ outcome: 'received' })
    await setWebhookMode(world(), { mode: 'normal' })
    expect(await tasksOf(orderCode)).toEqual([])
  })
})

describe('orders that cannot be refunded', () => {
  test('rejects a refund of an unknown order', async () =>
    expect(await refund('FT0000000000')).toEqual({ outcome: 'impossible', why: 'There is no order with this code.' }))

  test('rejects a refund of an order that was paid for with a voucher', async () => {
    const { orderCode } = await aBuyer({ services: 1 })
    expect(await refund(orderCode)).toEqual({
      outcome: 'impossible',
      why: 'This order was paid with a voucher, so there is no money to refund.',
    })
  })

  test('rejects a refund of an order that was declined or reversed', async () => {
    for (const wishes of [{ holder: 'DECLINED' }, {}]) {
      const traveller = await advanceWizardTo(world(), 'PAYMENT')
      if (!wishes.holder) await failNetwork(world(), { operation: 'activate', kind: 'fail_permanent' })
      await traveller.pay(wishes)
      const order = () =>
        world().db.selectFrom('orders').selectAll().where('email', '=', traveller.email).executeTakeFirstOrThrow()
      await pollUntil(async () => ['refused', 'undone'].includes((await order()).state))
      const { order_code } = await order()
      expect(await refund(order_code)).toEqual({
        outcome: 'impossible',
        why: 'This order did not go through, so there is nothing to refund.',
      })
      expect(await rowOf(order_code)).toBeUndefined()
    }
  })

  test('rejects a refund of an order that is still in progress', { tags: ['slow'] }, async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    await failNetwork(world(), { operation: 'activate', kind: 'error_500', times: 1000 })
    const paid = await traveller.pay()
    expect(await refund(paid.body.order_code)).toEqual({
      outcome: 'impossible',
      why: expect.stringMatching(/^This order is not finished yet: it is \w+\.$/),
    })
    await clearFailures(world())
    await traveller.arriveAt('SUCCESSFUL')
  })

  test('rejects a refund of an order if the gateway reports that its capture failed', async () => {
    const { orderCode } = await aBuyer()
    const of = { order_id: (await orderOf(orderCode)).id }
    await world()
      .db.updateTable('payment_attempts')
      .set({ capture_failed_at: new Date() })
      .where('order_id', '=', of.order_id)
      .execute()
    expect(await refund(orderCode)).toEqual({
      outcome: 'impossible',
      why: 'The gateway later reported that the payment for this order had failed.',
    })
    await nothingSent(orderCode)
  })
})

test('our records match the gateway’s and the network’s after refunds that succeed, fail or are rejected', async () =>
  expect(await findFaultsWhenIdle(world())).toEqual([]))
