import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { cardPaymentMessages } from '#features/orders/card-payment.contract.ts'
import { orderFailureMessages, orderMessages } from '#features/orders/orders.contract.ts'
import { renewalMessages } from '#features/renewal/renewal.contract.ts'
import { voucherMessages } from '#features/vouchers/vouchers.contract.ts'
import { callerMessages } from '#desk/features/caller-verification/caller-verification.contract.ts'
import { verifyCaller } from '#quality/support/caller-verification.ts'
import { makeSubscriber, type Subscriber } from '#quality/support/customer.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { clearFailures, failGateway, readProviderRecords } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import { type RenewalOffer, deskRenewalMessages } from './renewals.contract.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

let hine: Visitor
beforeAll(async () => {
  hine = await newStaffVisitor(world().deskUrl ?? '', demoStaff.support)
})
beforeEach(() => clearFailures(world()))

const at = ({ id, service }: Pick<Subscriber, 'id' | 'service'>) =>
  `/api/desk/customers/${id}/numbers/${service.id}/renewal/`

async function onThePhone(wishes: Parameters<typeof makeSubscriber>[1] = {}): Promise<Subscriber> {
  const customer = await makeSubscriber(world(), { card: true, plan: 'plan-7-500mb', ...wishes })
  await hine.post(`/api/desk/customers/${customer.id}/open/`, { reason: 'call' })
  await verifyCaller(world(), hine, customer)
  return customer
}
const offerTo = async (customer: Subscriber): Promise<RenewalOffer> => (await hine.get(at(customer))).body
const anew = () => crypto.randomUUID()

async function press(customer: Subscriber, change: Record<string, unknown> = {}, key: string | null = anew()) {
  const { plan, plans } = await offerTo(customer)
  const product = change['product'] ?? 'plan-30-15gb'
  const total = plans.find(({ id }) => id === product)?.price ?? '0.00'
  const body = {
    pay: 'saved_card',
    product,
    starts: 'now',
    ends: plan.ends,
    total,
    amount: total,
    reason: 'customers-wish',
    ...change,
  }
  return hine.post(at(customer), body, key === null ? {} : { 'idempotency-key': key })
}
const renewalsOf = ({ service }: Subscriber) =>
  world()
    .db.selectFrom('orders')
    .selectAll()
    .where('service_id', '=', service.id)
    .where('kind', '=', 'recharge')
    .orderBy('created_at')
    .execute()

async function expectRefusal(customer: Subscriber, answer: Promise<{ status: number; body: unknown }>, said: unknown) {
  const before = await renewalsOf(customer)
  const { status, body } = await answer
  expect([status, body]).toEqual(said)
  expect(await renewalsOf(customer)).toEqual(before)
}

describe('renewing a plan for a customer on the phone', () => {
  test('the desk offers the same renewal plans as the portal, and payment with the customer’s saved card', async () => {
    const customer = await onThePhone()
    const offer = await offerTo(customer)
    expect(offer).toMatchObject({
      number: formatNational(customer.service.msisdn),
      plan: { id: 'plan-7-500mb', is_over: false },
      next: null,
      saved_card: { name: 'Visa •••• 1111' },
    })
    const listed = Object.values<{
      unique_id: string
      new_customer_only: boolean
      product_type: number
      sku: string | null
    }>((await customer.visitor.get('/api/products/')).body)
    const bought = listed.filter((one) => one.product_type === 1 && one.sku && !one.new_customer_only)
    expect(offer.plans.map(({ id }) => id).toSorted()).toEqual(bought.map((one) => one.unique_id).toSorted())
    expect(Object.keys(offer.plans[0] ?? {}).toSorted()).toEqual(['id', 'length', 'price', 'title'])
  })

  test('a renewal at the desk charges the saved card once, and the audit log names the staff member', async () => {
    const customer = await onThePhone()
    const { status, body } = await press(customer, { amount: '36' })
    expect([status, body]).toEqual([200, { order_code: expect.stringMatching(/^FT/), is_open: false }])
    const { gateway } = await readProviderRecords(world(), body.order_code)
    expect(gateway).toMatchObject([{ authorised: 3_600, captured: 3_600 }])
    const [order] = await renewalsOf(customer)
    expect(order).toMatchObject({ order_code: body.order_code, paid_with: 'saved_card', auto_renewal: false })
    const acts = await world()
      .db.selectFrom('audit_events')
      .select(['actor', 'reason', 'details', 'session_id'])
      .where('user_id', '=', customer.id)
      .where('event', '=', 'plan_renewed')
      .execute()
    expect(acts).toMatchObject([{ actor: 'staff:Hine Walker', reason: 'customers-wish', session_id: null }])
    await pollUntil(async () =>
      (await world().mailTo(customer.email)).some(({ text }) => text.includes(body.order_code)),
    )
    expect((await hine.get(`/api/desk/orders/${body.order_code}/`)).status).toBe(200)
    expect((await offerTo(customer)).plan).toMatchObject({ id: 'plan-30-15gb', is_over: false })
  })

  test(
    'a renewal that is submitted twice is made only once, and an outdated renewal form is rejected',
    { tags: ['slow'] },
    async () => {
      const customer = await onThePhone()
      const { ends } = (await offerTo(customer)).plan
      const key = anew()
      const answers = await Promise.all([1, 2, 3].map(() => press(customer, { ends }, key)))
      expect(new Set(answers.map(({ status, body }) => `${status} ${body.order_code}`)).size).toBe(1)
      expect(await renewalsOf(customer)).toHaveLength(1)
      expect((await press(customer, { ends }, key)).body).toEqual(answers[0]?.body)
      await expectRefusal(customer, press(customer, { ends }), [400, { __all__: [orderMessages.changed] }])
      await expectRefusal(customer, press(customer, {}, null), [400, { __all__: [orderMessages.changed] }])
      expect((await readProviderRecords(world(), answers[0]?.body.order_code)).gateway).toMatchObject([
        { captured: 3_600 },
      ])
    },
  )

  test(
    'a renewal at the desk can start when the current plan ends, and a second next plan cannot be bought',
    { tags: ['slow'] },
    async () => {
      const customer = await onThePhone()
      const { ends } = (await offerTo(customer)).plan
      expect((await press(customer, { starts: 'at_end' })).status).toBe(200)
      expect((await offerTo(customer)).next).toEqual({ title: expect.any(String), starts: ends })
      const [order] = await renewalsOf(customer)
      expect(order?.starts_at?.getTime()).toBe(Date.parse(ends))
      const { body, status } = await press(customer)
      expect(status).toBe(400)
      expect(body.__all__[0]).toMatch(/^Your next Prepay Plan, .* is already paid for/)
    },
  )

  test('a voucher pays for a renewal at the desk, and can be used only once', { tags: ['slow'] }, async () => {
    const customer = await onThePhone()
    const code = await world().newVoucher('plan-30-5gb')
    const byVoucher = { pay: 'voucher', product: '', amount: '', code: ` ${code.toLowerCase()} ` }
    const { status, body } = await press(customer, byVoucher)
    expect(status).toBe(200)
    expect((await readProviderRecords(world(), body.order_code)).gateway).toEqual([])
    expect((await offerTo(customer)).plan.id).toBe('plan-30-5gb')
    await expectRefusal(customer, press(customer, byVoucher), [400, { __all__: [voucherMessages.used] }])
    await expectRefusal(customer, press(customer, { ...byVoucher, code: '' }), [
      400,
      { code: [voucherMessages.required] },
    ])
  })
})

describe('rejected renewals at the desk', () => {
  test('only support staff can renew a plan at the desk, and only on a verified caller’s own number', async () => {
    const [customer, other] = [await makeSubscriber(world(), { card: true }), await onThePhone()]
    expect((await hine.get(at(customer))).status).toBe(403)
    await hine.post(`/api/desk/customers/${customer.id}/open/`, { reason: 'call' })
    await expectRefusal(customer, press(customer), [403, { code: callerMessages.first, caller: true }])
    const mixed = { id: other.id, service: customer.service }
    expect((await hine.get(at(mixed))).status).toBe(404)
    const body = { pay: 'voucher', code: await world().newVoucher(), starts: 'now', ends: 'x', reason: 'goodwill' }
    expect((await hine.post(at(mixed), body, { 'idempotency-key': anew() })).status).toBe(404)
    for (const email of [demoStaff.lead, demoStaff.admin]) {
      const who = await newStaffVisitor(world().deskUrl ?? '', email)
      expect((await who.get(at(other))).status).toBe(403)
      expect((await who.post(at(other), {})).status).toBe(403)
    }
    await world().advance('PT30M')
    await expectRefusal(other, press(other), [403, { code: callerMessages.first, caller: true }])
  })

  test('a renewal is rejected if the amount is not typed in correctly, or if the price has changed', async () => {
    const customer = await onThePhone()
    for (const amount of ['', '35.00', '3600'])
      await expectRefusal(customer, press(customer, { amount }), [
        400,
        { amount: [deskRenewalMessages.amount('36.00')] },
      ])
    await expectRefusal(customer, press(customer, { total: '30.00', amount: '30.00' }), [
      409,
      { __all__: [orderMessages.newPrice('36.00', '30.00')] },
    ])
  })

  test('a renewal at the desk is rejected with the same messages as in the portal', { tags: ['slow'] }, async () => {
    const customer = await onThePhone({ card: false })
    await expectRefusal(customer, press(customer), [400, { __all__: [cardPaymentMessages.noSavedCard] }])
    const payer = await onThePhone()
    await failGateway(world(), { operation: 'authorise', kind: 'refuse_balance', times: 1 })
    const { status, body } = await press(payer)
    expect([status, body]).toEqual([400, { __all__: [orderFailureMessages.savedCardWithoutFunds] }])
    expect((await renewalsOf(payer)).map(({ state }) => state)).toEqual(['refused'])
    const { db } = world()
    await db.updateTable('saved_cards').set({ expiry: '01/2020' }).where('user_id', '=', payer.id).execute()
    await expectRefusal(payer, press(payer), [400, { __all__: [cardPaymentMessages.savedCardExpired] }])
    await hine.post(`/api/desk/customers/${payer.id}/block/`, { reason: 'fraud' })
    const refused = await press(payer)
    expect(refused.status).toBe(400)
    expect(refused.body.__all__[0]).toMatch(/blocked/i)
    expect((await press(payer, { starts: '' })).body).toEqual({ starts: [renewalMessages.starts] })
  })

  test('no field of a renewal at the desk accepts a card number', async () => {
    const customer = await onThePhone()
    for (const field of ['note', 'code', 'product', 'amount', 'card', 'adyen_encrypted'])
      await expectRefusal(customer, press(customer, { [field]: '4111 1111 1111 1111' }), [
        400,
        { [field]: ['Please don’t enter a card number here.'] },
      ])
    expect((await press(customer, { adyen_encrypted: world().card() })).status).toBe(400)
    expect(await renewalsOf(customer)).toEqual([])
  })
})
