import { beforeEach, describe, expect, test } from 'vitest'
import { formatDate } from '#kit/contract/dates.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { makeSubscriber, type Subscriber } from '#quality/support/customer.ts'
import { type PaymentOptions, renew as press } from '#quality/support/purchases.ts'
import { failNetwork, readProviderRecords, readNetworkActions, setWebhookMode } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
beforeEach(() => setWebhookMode(world(), { mode: 'normal' }))

const zone = 'Pacific/Auckland'

const someone = (wishes?: Parameters<typeof makeSubscriber>[1]) => makeSubscriber(world(), wishes)

const renew = ({ visitor, service }: Subscriber, paying?: PaymentOptions) => press(world(), visitor, service, paying)
const orderOf = (orderCode: string) =>
  world().db.selectFrom('orders').selectAll().where('order_code', '=', orderCode).executeTakeFirstOrThrow()
const renewalsOf = ({ service }: Subscriber) =>
  world()
    .db.selectFrom('orders')
    .selectAll()
    .where('service_id', '=', service.id)
    .where('kind', '=', 'recharge')
    .orderBy('created_at')
    .execute()
const invoiceOf = (orderCode: string) =>
  world().db.selectFrom('invoices').selectAll().where('order_code', '=', orderCode).executeTakeFirstOrThrow()
const cardOf = ({ id }: Subscriber) =>
  world().db.selectFrom('saved_cards').selectAll().where('user_id', '=', id).executeTakeFirst()
const scheduleOf = ({ service }: Subscriber) =>
  world()
    .db.selectFrom('schedules')
    .leftJoin('auto_renewals', 'auto_renewals.service_id', 'schedules.service_id')
    .select(['id', 'short_id', 'order_id', 'product_id', 'expires_at'])
    .select(({ fn, val }) => fn.coalesce('enabled', val(false)).as('auto_recharge_enabled'))
    .where('schedules.service_id', '=', service.id)
    .executeTakeFirstOrThrow()
const look = async ({ visitor, service }: Subscriber) => (await visitor.get('/api/services/')).body[service.id]
const mailOf = (customer: Subscriber, orderCode: string) =>
  pollUntil(async () => (await world().mailTo(customer.email)).find(({ text }) => text.includes(orderCode)))
const today = () => world().deps.clock.now().toZonedDateTimeISO(zone).toPlainDate()
const midnight = (day: Temporal.PlainDate) =>
  day.toZonedDateTime(zone).toInstant().toString({ fractionalSecondDigits: 3 })
const gatewayLines = async () => (await world().ledgers()).gateway.length

async function expectRefusal(
  customer: Subscriber,
  paying: PaymentOptions,
  answer: { status: number; body: unknown },
): Promise<void> {
  const [lines, orders] = [await gatewayLines(), (await renewalsOf(customer)).length]
  const { status, body } = await renew(customer, paying)
  expect({ status, body }).toEqual(answer)
  expect(await gatewayLines()).toBe(lines)
  expect(await renewalsOf(customer)).toHaveLength(orders)
}
const refused = (sentence: string) => ({ status: 400, body: { __all__: [sentence] } })

describe('renewals by card', () => {
  test("a renewal by card charges the catalogue's price once and starts the new plan at once", async () => {
    const customer = await someone({ plan: 'plan-7-500mb' })
    const before = await scheduleOf(customer)
    const { status, body } = await renew(customer, { product: 'plan-90-5gb' })
    expect({ status, body }).toEqual({ status: 200, body: { order_code: expect.stringMatching(/^FT[\dA-Z]{10}$/) } })
    const code = body.order_code
    expect((await readProviderRecords(world(), code)).gateway).toMatchObject([
      { reference: `${code}-1`, authorised: 5610, captured: 5610, cancelled: 0 },
    ])
    expect(await readNetworkActions(world(), code)).toEqual(['add_plan completed'])
    const order = await orderOf(code)
    expect(order).toMatchObject({
      kind: 'recharge',
      user_id: customer.id,
      service_id: customer.service.id,
      schedule_id: before.id,
      renews_order_id: before.order_id,
      starts_at: null,
      auto_renewal: false,
    })
    const schedule = await scheduleOf(customer)
    expect(schedule).toMatchObject({
      id: before.id,
      short_id: before.short_id,
      order_id: order.id,
      product_id: 'plan-90-5gb',
      auto_recharge_enabled: false,
    })
    expect(await look(customer)).toMatchObject({
      plan_short_id: customer.service.shortId,
      expiry_date: midnight(today().add({ days: 90 })),
      is_expired: false,
    })
  })

  test('a card used for a renewal replaces the saved card', { tags: ['slow'] }, async () => {
    const customer = await someone({ card: true })
    const before = await cardOf(customer)
    expect((await renew(customer, { holder: 'Mere Tane' })).status).toBe(200)
    expect(await cardOf(customer)).toMatchObject({ holder_name: 'Mere Tane', last_four: '1111' })
    expect((await cardOf(customer))?.stored_id).not.toBe(before?.stored_id)
    const { status, body } = await renew(customer, { saved: true })
    expect(status).toBe(200)
    expect((await readProviderRecords(world(), body.order_code)).gateway).toMatchObject([{ captured: 3600 }])
  })

  test(
    "a renewal with the saved card needs no card data and uses the gateway's stored card",
    { tags: ['slow'] },
    async () => {
      const customer = await someone({ card: true })
      const kept = await cardOf(customer)
      const { status, body } = await renew(customer, { saved: true })
      expect(status).toBe(200)
      const { id } = await orderOf(body.order_code)
      expect(
        await world().db.selectFrom('payment_attempts').selectAll().where('order_id', '=', id).executeTakeFirst(),
      ).toMatchObject({
        state: 'captured',
        stored_card_id: kept?.stored_id,
        shopper_reference: kept?.shopper_reference ?? customer.id,
        sealed_card: null,
        store: false,
      })
      expect(await cardOf(customer)).toEqual(kept)
    },
  )

  test('a renewal creates an invoice and a single email with the invoice attached', { tags: ['slow'] }, async () => {
    const customer = await someone()
    const { body } = await renew(customer, { product: 'plan-30-25gb' })
    const code = body.order_code
    expect(await pollUntil(() => invoiceOf(code))).toMatchObject({
      service_id: customer.service.id,
      user_id: customer.id,
      document_type: 'invoice',
      email: customer.email,
      full_name: 'Ana Rewi',
      total_cents: 4300,
      tax_cents: 561,
      line_items: [{ title: '25 GB Prepay Plan', unit_price_cents: 4300 }],
    })
    const mail = await mailOf(customer, code)
    const number = formatNational(customer.service.msisdn)
    expect(mail.subject).toBe(`Your Prepay Plan for ${number} is renewed`)
    const expires = formatDate(midnight(today().add({ days: 30 })), zone)
    for (const fact of [
      'Kia ora Ana,',
      code,
      number,
      '25 GB Prepay Plan',
      '$43.00 NZD, including $5.61 GST',
      `Expires on: ${expires}`,
    ])
      expect(mail.text).toContain(fact)
    expect(
      await world()
        .db.selectFrom('messages')
        .select('attachment')
        .where('event_key', '=', `renewal:${(await orderOf(code)).id}`)
        .execute(),
    ).toEqual([{ attachment: `invoice:${code}` }])
  })

  test('the usage summary shows the renewed plan at once', { tags: ['slow'] }, async () => {
    const customer = await someone({ plan: 'plan-30-5gb' })
    const summary = async () =>
      (await customer.visitor.get(`/api/account/usage_summary/${customer.service.id}/`)).body.plan
    expect(await summary()).toMatchObject({
      title: '5 GB Prepay Plan',
      entitlements: [{ totalAllowance: { amount: 5, unit: 'GB' } }],
    })
    await renew(customer, { product: 'plan-30-25gb' })
    expect(await summary()).toMatchObject({
      title: '25 GB Prepay Plan',
      entitlements: [{ totalAllowance: { amount: 25, unit: 'GB' }, remainingAllowance: { amount: 25, unit: 'GB' } }],
    })
  })

  test(
    'a renewal does not turn auto-renewal off, and accepts either ID of the schedule',
    { tags: ['slow'] },
    async () => {
      const customer = await someone({ card: true })
      await customer.visitor.send(
        'PUT',
        `/api/services/auto_renew/${customer.service.id}/${customer.service.shortId}/`,
        {
          headers: { 'x-csrftoken': customer.visitor.cookie('csrftoken') ?? '' },
        },
      )
      expect((await renew(customer, { saved: true, body: { uuid: '' } })).status).toBe(200)
      expect(await scheduleOf(customer)).toMatchObject({ auto_recharge_enabled: true, product_id: 'plan-30-15gb' })
      const { id } = await scheduleOf(customer)
      expect((await renew(customer, { saved: true, body: { schedule: id } })).status).toBe(200)
      expect(await renewalsOf(customer)).toHaveLength(2)
    },
  )
})

describe('renewals by voucher', () => {
  test(
    "a renewal by voucher adds the voucher's plan, even one withdrawn from sale, without calling the payment gateway",
    { tags: ['slow'] },
    async () => {
      const customer = await someone()
      const voucher = await world().newVoucher('plan-30-10gb')
      const { status, body } = await renew(customer, { voucher })
      expect(status).toBe(200)
      expect((await readProviderRecords(world(), body.order_code)).gateway).toEqual([])
      expect(await readNetworkActions(world(), body.order_code)).toEqual(['add_plan completed'])
      expect(await scheduleOf(customer)).toMatchObject({ product_id: 'plan-30-10gb' })
      expect(await pollUntil(() => invoiceOf(body.order_code))).toMatchObject({ total_cents: 0, tax_cents: 0 })
      expect((await mailOf(customer, body.order_code)).text).toContain('Total: Paid with a voucher')
      expect(await world().visitor().get(`/api/vouchers/${voucher}/`)).toMatchObject({
        status: 412,
        body: { type: 'This voucher has already been used.' },
      })
    },
  )

  test('a renewal with a missing, unknown, used, expired or new-customer voucher is rejected without creating an order', async () => {
    const [customer, other] = [await someone(), await someone()]
    const used = await world().newVoucher()
    expect((await renew(other, { voucher: used })).status).toBe(200)
    const old = await world().newVoucher()
    await world()
      .db.updateTable('vouchers')
      .set({ expires_at: new Date(0) })
      .where('code_hash', '=', world().deps.secrets.hash('voucher', old))
      .execute()
    await expectRefusal(customer, { voucher: used }, refused('This voucher has already been used.'))
    await expectRefusal(customer, { voucher: 'ABCDEFGHJKMN' }, refused('This voucher code is not valid.'))
    await expectRefusal(
      customer,
      { voucher: await world().newVoucher('welcome-30-25gb') },
      refused('This voucher code is not valid.'),
    )
    await expectRefusal(customer, { voucher: old }, refused('This voucher has expired.'))
    await expectRefusal(
      customer,
      { voucher: 'x', body: { code: ' ' } },
      { status: 400, body: { code: ['Please enter a Voucher Code.'] } },
    )
  })

  test('a voucher can be used again after the network has rejected its plan', { tags: ['slow'] }, async () => {
    const customer = await someone()
    const voucher = await world().newVoucher('plan-30-15gb')
    await failNetwork(world(), { operation: 'add_plan', kind: 'fail_permanent' })
    const { status, body } = await renew(customer, { voucher })
    expect({ status, body }).toEqual(
      refused('The network could not add your Prepay Plan. You have not been charged. Please try again.'),
    )
    expect((await renew(customer, { voucher })).status).toBe(200)
  })
})

describe('rejected renewals', () => {
  const noPlan = { product: ['Please select a Prepay Plan.'] }
  test('rejects a renewal with a missing, unknown, withdrawn or unavailable plan, an add-on, or a plan for new customers', async () => {
    const customer = await someone({ card: true })
    for (const product of ['', 'plan-9-9gb', 'extra-2gb', 'welcome-30-25gb', 'plan-30-10gb', 'plan-180-100gb']) {
      await expectRefusal(customer, { product, saved: true }, { status: 400, body: noPlan })
    }
  })

  test('rejects a renewal that includes a price or lacks a saved card, and reports several errors together', async () => {
    const customer = await someone()
    await expectRefusal(
      customer,
      { body: { price: '0.01' } },
      { status: 400, body: { price: ['A request can’t include a price.'] } },
    )
    await expectRefusal(customer, { saved: true }, refused('You have no saved card. Please enter your card details.'))
    await expectRefusal(
      customer,
      { product: '', card: '' },
      { status: 400, body: { ...noPlan, __all__: ['Please check your payment details and try again'] } },
    )
  })

  test('rejects a renewal with a saved card that has expired', async () => {
    const customer = await someone({ card: true })
    await world().db.updateTable('saved_cards').set({ expiry: '01/2020' }).where('user_id', '=', customer.id).execute()
    await expectRefusal(customer, { saved: true }, refused('Your saved card has expired. Please use another card.'))
  })

  test("renewing another customer's service, or one that does not exist, gets a 404", async () => {
    const [customer, other] = [await someone({ card: true }), await someone()]
    const { id } = await scheduleOf(other)
    const strange = [
      { uuid: other.service.id, schedule: other.service.shortId },
      { uuid: customer.service.id, schedule: other.service.shortId },
      { uuid: other.service.id, schedule: customer.service.shortId },
      { uuid: '', schedule: id },
      { uuid: crypto.randomUUID() },
      { uuid: 'renew' },
      { uuid: '', schedule: '' },
    ]
    for (const body of strange)
      await expectRefusal(customer, { saved: true, body }, { status: 404, body: { code: 'Not found.' } })
  })

  test('renewing gets a 401 for a signed-out visitor and a 403 for a customer with an unconfirmed email address', async () => {
    const customer = await someone({ verified: false })
    expect((await renew(customer)).status).toBe(403)
    expect((await press(world(), world().visitor(), customer.service)).status).toBe(401)
  })

  test('rejects a renewal with an unencrypted card number or an encrypted card that is too long', async () => {
    const customer = await someone()
    expect(await renew(customer, { body: { product: '4111 1111 1111 1111' } })).toMatchObject({
      status: 400,
      body: { product: ['Please don’t enter a card number here.'] },
    })
    expect(await renew(customer, { card: 'a'.repeat(8_001) })).toMatchObject({
      status: 400,
      body: { adyen_encrypted: [expect.any(String)] },
    })
    expect(await renewalsOf(customer)).toEqual([])
  })
})

test("our records match the gateway's and the network's after all renewals", async () =>
  expect(await findFaultsWhenIdle(world())).toEqual([]))
