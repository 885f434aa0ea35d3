import { describe, expect, test } from 'vitest'
import { systemActor } from '#kit/server/actor.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { failGateway, readProviderRecords, sendNotification, setWebhookMode } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { listOrderRefunds } from './server/refunds.store.ts'
import { refundOrder } from './server/refunds.ts'

const world = useWorld()
const refund = (orderCode: string, amountCents?: number) =>
  refundOrder(world().deps, orderCode, systemActor, { amountCents })

async function aBuyer() {
  const customer = await makeCustomer(world(), { card: true })
  const [service] = customer.services
  if (!service) throw new Error('there is no service')
  const { id } = await world()
    .db.selectFrom('orders')
    .select('id')
    .where('order_code', '=', service.orderCode)
    .executeTakeFirstOrThrow()
  return { ...customer, service: service.id, orderCode: service.orderCode, orderId: id }
}

const refundedOf = async (orderCode: string) =>
  (await readProviderRecords(world(), orderCode)).gateway.map(({ refunded }) => refunded)
const tasksOf = async (orderId: string) =>
  (await world().db.selectFrom('operator_tasks').select('reason').where('order_id', '=', orderId).execute()).map(
    ({ reason }) => reason,
  )

describe('partial refunds', () => {
  test('each partial refund has a credit note and an email, and the refunds add up to the payment and its GST', async () => {
    const { orderCode, visitor, service, email } = await aBuyer()
    expect(await refund(orderCode, 500)).toMatchObject({ outcome: 'received' })
    expect(await refund(orderCode, 1701)).toEqual({
      outcome: 'impossible',
      why: 'At most $17.00 of this order can still be refunded.',
    })
    expect(await refund(orderCode, 700)).toMatchObject({ outcome: 'received' })
    expect(await refund(orderCode)).toMatchObject({ outcome: 'received' })
    expect(await refund(orderCode, 1)).toEqual({ outcome: 'impossible', why: 'This order was already refunded.' })
    expect(await refundedOf(orderCode)).toEqual([2200])

    const { body: documents } = await visitor.get(`/api/account/invoices/${service}/`)
    expect(documents.map(({ total_price, partial }: Record<string, unknown>) => [total_price, partial])).toEqual([
      ['-10.00', true],
      ['-7.00', true],
      ['-5.00', true],
      ['22.00', false],
    ])
    const notes = await Promise.all(
      documents.map(
        async ({ order_code: code }: { order_code: string }) =>
          (await visitor.get(`/api/account/invoices/${service}/${code}/`)).body,
      ),
    )
    expect(notes.map(({ tax }) => tax)).toEqual(['-1.30', '-0.92', '-0.65', '2.87'])
    expect(notes[0].line_items).toMatchObject([{ quantity: 1, unit_price: '-10.00', subtotal: '-10.00' }])
    const mails = await pollUntil(async () => {
      const all = (await world().mailTo(email)).filter(({ subject }) => subject.startsWith('Your refund'))
      return all.length === 3 && all
    })
    expect(mails.map(({ subject }) => subject).sort()).toEqual(
      ['$10.00', '$5.00', '$7.00'].map((amount) => `Your refund of ${amount} NZD`),
    )
    expect(mails[0]?.text).toContain('of what you paid to the card')
  })

  test.each([0, -1, 2201])('rejects a partial refund of %i cents', async (cents) => {
    const { orderCode } = await aBuyer()
    expect(await refund(orderCode, cents)).toMatchObject({ outcome: 'impossible' })
    expect(await refundedOf(orderCode)).toEqual([0])
  })

  test(
    'rejects another refund of an order until the gateway has answered the previous one',
    { tags: ['slow'] },
    async () => {
      const { orderCode, orderId } = await aBuyer()
      await failGateway(world(), { operation: 'refund', kind: 'lost_answer' })
      expect(await refund(orderCode, 1000)).toEqual({ outcome: 'unknown' })
      expect(await refund(orderCode, 500)).toEqual({
        outcome: 'impossible',
        why: 'A refund of this order is already in progress.',
      })
      await pollUntil(async () => (await listOrderRefunds(world().db, orderId)).at(-1)?.state === 'received')
      expect(await refund(orderCode, 500)).toMatchObject({ outcome: 'received' })
      expect(await refundedOf(orderCode)).toEqual([1500])
      expect(
        (await listOrderRefunds(world().db, orderId)).map(({ reference, attempt }) => [reference, attempt]),
      ).toEqual([
        [`${orderCode}-1-refund`, 1],
        [`${orderCode}-1-refund-2`, 2],
      ])
    },
  )

  test(
    'after a rejection, a partial refund can be repeated with a different amount, and its database row is reused',
    { tags: ['slow'] },
    async () => {
      const { orderCode, orderId } = await aBuyer()
      await refund(orderCode, 200)
      const of = { db: world().db.updateTable('payment_attempts').where('order_id', '=', orderId) }
      const { psp_reference } = await world()
        .db.selectFrom('payment_attempts')
        .select('psp_reference')
        .where('order_id', '=', orderId)
        .executeTakeFirstOrThrow()
      await of.db.set({ psp_reference: 'AAAAAAAAAAAAAAAA' }).execute()
      expect(await refund(orderCode, 300)).toMatchObject({ outcome: 'refused' })
      await of.db.set({ psp_reference }).execute()
      expect(await refund(orderCode, 2000)).toMatchObject({ outcome: 'received' })
      expect(
        (await listOrderRefunds(world().db, orderId)).map(({ attempt, amount_cents, state }) => [
          attempt,
          amount_cents,
          state,
        ]),
      ).toEqual([
        [1, 200, 'received'],
        [3, 2000, 'received'],
      ])
      await world().db.deleteFrom('operator_tasks').execute()
    },
  )
})

describe('gateway webhooks about a refund', () => {
  test('a webhook about a partial refund records the amount and creates no operator task', async () => {
    const { orderCode, orderId } = await aBuyer()
    await refund(orderCode, 500)
    const told = () =>
      world()
        .db.selectFrom('order_events')
        .select(['name', 'to_state', 'detail'])
        .where('order_id', '=', orderId)
        .where('name', '=', 'REFUND')
        .execute()
    await pollUntil(async () => (await told()).length > 0)
    expect(await told()).toEqual([{ name: 'REFUND', to_state: 'success', detail: '500 cents NZD' }])
    expect(await tasksOf(orderId)).toEqual([])
  })

  test(
    'if a refund’s failure is reported before the gateway’s answer, the refund is owed once the answer is known',
    { tags: ['slow'] },
    async () => {
      const { orderCode, orderId } = await aBuyer()
      await setWebhookMode(world(), { mode: 'hold' })
      await failGateway(world(), { operation: 'refund', kind: 'lost_answer' })
      await failGateway(world(), { operation: 'refund', kind: 'error_500', times: 2 })
      expect(await refund(orderCode, 500)).toEqual({ outcome: 'unknown' })
      const pending = (await (await fetch(`${world().deps.outside.cardUrl}/_simulator/webhooks/pending`)).json()) as {
        event_code: string
        reference: string
        psp_reference: string
      }[]
      const { psp_reference: pspReference = '' } =
        pending.find((each) => each.event_code === 'REFUND' && each.reference === `${orderCode}-1`) ?? {}
      await sendNotification(world(), {
        eventCode: 'REFUND_FAILED',
        pspReference,
        merchantReference: `${orderCode}-1`,
        amount: { value: 500, currency: 'NZD' },
      })
      await pollUntil(async () => (await listOrderRefunds(world().db, orderId)).at(-1)?.state === 'returned')
      expect(await tasksOf(orderId)).toEqual([
        `the refund ${orderCode}-1-refund of $5.00 did not reach the customer, who is still owed it`,
      ])
      await setWebhookMode(world(), { mode: 'normal', release: true })
      // The gateway simulator still has this refund, so reset the row's state before the records are compared.
      await world().db.updateTable('refunds').set({ state: 'received' }).where('order_id', '=', orderId).execute()
      await world().db.deleteFrom('operator_tasks').execute()
    },
  )

  test.each(['REFUND_FAILED', 'REFUNDED_REVERSED'])(
    'a %s webhook that arrives twice creates one operator task',
    async (eventCode) => {
      const { orderCode, orderId } = await aBuyer()
      await failGateway(world(), { operation: 'refund', kind: 'refuse' })
      await setWebhookMode(world(), { mode: 'drop' })
      await refund(orderCode, 500)
      await setWebhookMode(world(), { mode: 'normal' })
      const [{ psp_reference: pspReference } = {}] = await listOrderRefunds(world().db, orderId)
      const told = {
        eventCode,
        pspReference: pspReference ?? '',
        merchantReference: `${orderCode}-1-refund`,
        amount: { value: 500, currency: 'NZD' },
        reason: 'account closed',
      }
      for (const item of [told, told]) expect((await sendNotification(world(), item)).status).toBe(200)
      expect((await listOrderRefunds(world().db, orderId)).map(({ state }) => state)).toEqual(['returned'])
      expect(await tasksOf(orderId)).toEqual([
        `the refund ${orderCode}-1-refund of $5.00 did not reach the customer, who is still owed it`,
      ])
      expect(await refund(orderCode)).toMatchObject({ outcome: 'received' })
      // A late notification about the first attempt must not affect the second attempt.
      await sendNotification(world(), {
        ...told,
        eventCode: 'REFUND',
        success: 'false',
        merchantReference: `${orderCode}-1`,
      })
      expect((await listOrderRefunds(world().db, orderId)).map(({ state }) => state)).toEqual(['received'])
      await world().db.deleteFrom('operator_tasks').execute()
    },
  )
})

describe('refunds by an older version of Fantail', () => {
  const asBefore = (orderId: string, reference: string) =>
    world()
      .db.insertInto('refunds')
      .values({
        id: crypto.randomUUID(),
        order_id: orderId,
        attempt: 1,
        reference,
        idempotency_key: crypto.randomUUID(),
        state: 'initiated',
        amount_cents: 2200,
        psp_reference: null,
        refusal: null,
        created_at: new Date(),
        retry_at: null,
        tries: 0,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()

  test('an older version of Fantail cannot insert a full refund after a partial one', async () => {
    const { orderCode, orderId } = await aBuyer()
    await refund(orderCode, 500)
    expect(await asBefore(orderId, `${orderCode}-1-refund`)).toBeUndefined()
  })

  test(
    'an older version of Fantail cannot write a full credit note for a partial refund',
    { tags: ['slow'] },
    async () => {
      const { orderCode, orderId } = await aBuyer()
      await failGateway(world(), { operation: 'refund', kind: 'lost_request' })
      await refund(orderCode, 500)
      const [part] = await listOrderRefunds(world().db, orderId)
      const { id: _, ...invoice } = await world()
        .db.selectFrom('invoices')
        .selectAll()
        .where('order_id', '=', orderId)
        .executeTakeFirstOrThrow()
      const note = {
        ...invoice,
        id: crypto.randomUUID(),
        order_code: 'CNOFBEFORE',
        document_type: 'credit' as const,
        refund_ref: orderCode,
        refund_id: part?.id ?? null,
        line_items: JSON.stringify(invoice.line_items),
        issuer: JSON.stringify(invoice.issuer),
        total_cents: -2200,
      }
      await expect(world().db.insertInto('invoices').values(note).execute()).rejects.toThrow(
        'invoices_credit_of_refund',
      )
      await pollUntil(async () => (await listOrderRefunds(world().db, orderId)).at(-1)?.state === 'received')
    },
  )
})

test('our records match the gateway’s and the network’s after partial refunds', async () =>
  expect(await findFaultsWhenIdle(world())).toEqual([]))
