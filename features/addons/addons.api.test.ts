import { beforeEach, describe, expect, test } from 'vitest'
import { formatDate } from '#kit/contract/dates.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { hidePaymentReference } from '#quality/support/hide-payment-reference.ts'
import { makeSubscriber, type Subscriber } from '#quality/support/customer.ts'
import { loseResponseTo } from '#quality/support/lost-response.ts'
import { buyAddOn, endOf, type PaymentOptions, renew, resumeOrder } from '#quality/support/purchases.ts'
import {
  clearFailures,
  failGateway,
  failNetwork,
  readProviderRecords,
  readNetworkActions,
  setWebhookMode,
} from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
beforeEach(() => setWebhookMode(world(), { mode: 'normal' }))

const someone = (wishes?: Parameters<typeof makeSubscriber>[1]) => makeSubscriber(world(), wishes)

const buy = ({ visitor, service }: Subscriber, paying?: PaymentOptions) => buyAddOn(world(), visitor, service, paying)
const orderOf = (orderCode: string) =>
  world().db.selectFrom('orders').selectAll().where('order_code', '=', orderCode).executeTakeFirstOrThrow()
const addOnsOf = ({ service }: Subscriber) =>
  world()
    .db.selectFrom('orders')
    .selectAll()
    .where('service_id', '=', service.id)
    .where('kind', '=', 'addon')
    .orderBy('created_at')
    .execute()
const cardOf = ({ id }: Subscriber) =>
  world().db.selectFrom('saved_cards').selectAll().where('user_id', '=', id).executeTakeFirst()
const ownedBy = async ({ visitor, service }: Subscriber) =>
  (await visitor.get(`/api/account/usage_summary/${service.id}/`)).body.addons
const invoiceOf = (orderCode: string) =>
  pollUntil(() => world().db.selectFrom('invoices').selectAll().where('order_code', '=', orderCode).executeTakeFirst())
const mailOf = (customer: Subscriber, orderCode: string) =>
  pollUntil(async () => (await world().mailTo(customer.email)).find(({ text }) => text.includes(orderCode)))
const refused = (sentence: string) => ({ status: 400, body: { __all__: [sentence] } })

async function expectRefusal(
  customer: Subscriber,
  paying: PaymentOptions,
  answer: { status: number; body: unknown },
): Promise<void> {
  const lines = (await world().ledgers()).gateway.length
  const { status, body } = await buy(customer, paying)
  expect({ status, body }).toEqual(answer)
  expect((await world().ledgers()).gateway).toHaveLength(lines)
  expect(await addOnsOf(customer)).toEqual([])
}

describe('add-on purchases', () => {
  test('buying an add-on charges once, makes it available immediately, and does not change the plan or its schedule', async () => {
    const customer = await someone({ card: true })
    const before = (await customer.visitor.get('/api/services/')).body
    expect(await ownedBy(customer)).toEqual([])
    const { status, body } = await buy(customer, { saved: true })
    expect({ status, body }).toEqual({ status: 200, body: { order_code: expect.stringMatching(/^FT[\dA-Z]{10}$/) } })
    expect((await readProviderRecords(world(), body.order_code)).gateway).toMatchObject([
      { authorised: 1000, captured: 1000, cancelled: 0 },
    ])
    expect(await readNetworkActions(world(), body.order_code)).toEqual(['add_addon completed'])
    expect(await orderOf(body.order_code)).toMatchObject({
      kind: 'addon',
      service_id: customer.service.id,
      user_id: customer.id,
      schedule_id: null,
    })
    expect(await ownedBy(customer)).toMatchObject([
      {
        name: 'Extra 2 GB',
        price: '10.00',
        roaming: false,
        entitlements: [{ totalAllowance: { amount: 2, unit: 'GB' }, remainingAllowance: { amount: 2, unit: 'GB' } }],
      },
    ])
    expect((await customer.visitor.get('/api/services/')).body).toEqual(before)
  })

  test('a single email confirms an add-on, states its contents and expiry, and has the invoice attached', async () => {
    const customer = await someone({ card: true })
    const { body } = await buy(customer, { saved: true, product: 'roam-au-7' })
    const code = body.order_code
    expect(await invoiceOf(code)).toMatchObject({
      total_cents: 1200,
      tax_cents: 157,
      service_id: customer.service.id,
      line_items: [{ title: 'Australia Roaming', product: { product_type: 2, length: 7 } }],
    })
    const mail = await mailOf(customer, code)
    const number = formatNational(customer.service.msisdn)
    expect(mail.subject).toBe(`Your Add-On for ${number} is ready`)
    const [owned] = await ownedBy(customer)
    const expires = formatDate(owned.expiry_date, 'Pacific/Auckland')
    for (const fact of [
      'Kia ora Ana,',
      code,
      number,
      'Add-On: Australia Roaming',
      'Includes: ',
      '$12.00 NZD, including $1.57 GST',
      `Expires on: ${expires}`,
    ])
      expect(mail.text).toContain(fact)
    expect(
      await world()
        .db.selectFrom('messages')
        .select('attachment')
        .where('event_key', '=', `addon:${(await orderOf(code)).id}`)
        .execute(),
    ).toEqual([{ attachment: `invoice:${code}` }])
  })

  test('the same add-on can be bought again, and each purchase has its own allowance', { tags: ['slow'] }, async () => {
    const customer = await someone({ card: true })
    for (let count = 0; count < 2; count++) expect((await buy(customer, { saved: true })).status).toBe(200)
    expect(await ownedBy(customer)).toHaveLength(2)
  })

  test('an add-on remains available after the plan has been renewed', { tags: ['slow'] }, async () => {
    const customer = await someone({ card: true })
    await buy(customer, { saved: true })
    expect((await renew(world(), customer.visitor, customer.service, { saved: true })).status).toBe(200)
    expect(await ownedBy(customer)).toMatchObject([{ name: 'Extra 2 GB' }])
  })
})

describe('add-on purchases with a new card', () => {
  test('a new card replaces the saved card only if the customer asks to save it', { tags: ['slow'] }, async () => {
    const customer = await someone({ card: true })
    const before = await cardOf(customer)
    expect((await buy(customer, { holder: 'Mere Tane' })).status).toBe(200)
    expect(await cardOf(customer)).toEqual(before)
    expect((await buy(customer, { holder: 'Mere Tane', save: true })).status).toBe(200)
    expect(await cardOf(customer)).toMatchObject({ holder_name: 'Mere Tane' })
  })

  test('a declined card is not saved, and the customer can pay with a different card', async () => {
    const customer = await someone()
    const { status, body } = await buy(customer, { holder: 'DECLINED', save: true })
    expect({ status, body }).toEqual(
      refused('Your bank declined this payment. Nothing was charged. Try another card or call your bank.'),
    )
    expect(await cardOf(customer)).toBeUndefined()
    expect((await buy(customer)).status).toBe(200)
    await expect
      .poll(async () => (await addOnsOf(customer)).map(({ state }) => state))
      .toEqual(['refused', 'completed'])
  })

  test('an add-on purchase with a lost payment response returns 202, blocks a second purchase, and charges once when resumed', async () => {
    await setWebhookMode(world(), { mode: 'hold' })
    const customer = await someone()
    const first = await loseResponseTo(world(), () => buy(customer, { key: 'mine' }))
    expect(first).toMatchObject({ status: 202, body: { order_code: expect.any(String), retry: true } })
    expect(await buy(customer)).toMatchObject(refused('You’re already buying this Add-On.'))
    const { status, body } = await resumeOrder(customer.visitor, first.body.order_code)
    expect({ status, body }).toEqual({ status: 200, body: { order_code: first.body.order_code } })
    expect(await buy(customer, { key: 'mine' })).toMatchObject({ status: 200, body })
    expect((await readProviderRecords(world(), body.order_code)).gateway).toMatchObject([
      { authorised: 1000, captured: 1000 },
    ])
    await setWebhookMode(world(), { mode: 'normal', release: true })
  })
})

describe('rejected add-on purchases', () => {
  const noAddOn = { product: ['Please select an Add-On.'] }

  test('rejects an add-on purchase when the product is missing, unknown, hidden or a plan', async () => {
    const customer = await someone({ card: true })
    await world().db.updateTable('products').set({ hidden: true }).where('unique_id', '=', 'texts-100').execute()
    for (const product of ['', 'extra-9tb', 'plan-30-5gb', 'texts-100'])
      await expectRefusal(customer, { product, saved: true }, { status: 400, body: noAddOn })
  })

  test('rejects an add-on purchase that includes a price or a voucher, and returns all field errors together', async () => {
    const customer = await someone()
    await expectRefusal(
      customer,
      { body: { price: 1 } },
      { status: 400, body: { price: ['A request can’t include a price.'] } },
    )
    await expectRefusal(
      customer,
      { body: { payment_method: '2' } },
      { status: 400, body: { payment_method: [expect.any(String)] } },
    )
    await expectRefusal(
      customer,
      { product: 'plan-30-5gb', card: '' },
      { status: 400, body: { ...noAddOn, __all__: ['Please check your payment details and try again'] } },
    )
    await expectRefusal(customer, { saved: true }, refused('You have no saved card. Please enter your card details.'))
  })

  test('rejects an add-on purchase if the service is somebody else’s, the saved card has expired or nobody is signed in', async () => {
    const [customer, other] = [await someone({ card: true }), await someone()]
    for (const uuid of [other.service.id, crypto.randomUUID(), customer.service.shortId, ''])
      await expectRefusal(customer, { saved: true, body: { uuid } }, { status: 404, body: { code: 'Not found.' } })
    await world().db.updateTable('saved_cards').set({ expiry: '01/2020' }).where('user_id', '=', customer.id).execute()
    await expectRefusal(customer, { saved: true }, refused('Your saved card has expired. Please use another card.'))
    expect((await buyAddOn(world(), world().visitor(), customer.service)).status).toBe(401)
  })
})

describe('add-on purchases during network failures', () => {
  test(
    'retries adding an add-on after a temporary network failure, and cancels the payment after a permanent failure',
    { tags: ['slow'] },
    async () => {
      const customer = await someone({ card: true })
      await failNetwork(world(), { operation: 'add_addon', kind: 'fail_retryable' })
      const { status, body } = await buy(customer, { saved: true })
      expect(status).toBe(200)
      expect(await readNetworkActions(world(), body.order_code)).toEqual(['add_addon failed', 'add_addon completed'])

      await failNetwork(world(), { operation: 'add_addon', kind: 'fail_permanent' })
      const answer = await buy(customer, { saved: true })
      expect({ status: answer.status, body: answer.body }).toEqual(
        refused('The network could not add your Add-On. You have not been charged. Please try again.'),
      )
      const [, undone] = await addOnsOf(customer)
      expect((await readProviderRecords(world(), undone?.order_code ?? '')).gateway).toMatchObject([
        { authorised: 1000, captured: 0, cancelled: 1000 },
      ])
      expect(await ownedBy(customer)).toHaveLength(1)
    },
  )

  test(
    'removes a delivered add-on from the network when its payment cannot be captured',
    { tags: ['slow'] },
    async () => {
      const customer = await someone()
      // Delay the delivery until the payment has an unknown reference, so that the gateway rejects the capture after the delivery.
      await failNetwork(world(), { operation: 'add_addon', kind: 'error_500', times: 1000 })
      const answer = buy(customer)
      const { order_code: orderCode } = await pollUntil(async () => (await addOnsOf(customer))[0])
      const restoreReference = await hidePaymentReference(world(), `${orderCode}-1`)
      await clearFailures(world())
      await failGateway(world(), { operation: 'cancel', kind: 'error_500', times: 1000 })
      await pollUntil(async () => (await orderOf(orderCode)).state === 'undoing')
      await restoreReference()
      await clearFailures(world())
      expect((await endOf(customer.visitor, answer)).status).toBe(400)
      expect(await readNetworkActions(world(), orderCode)).toEqual(['add_addon completed', 'remove_addon completed'])
      expect(await ownedBy(customer)).toEqual([])
    },
  )
})

test(
  'rejects an add-on purchase while the plan is expired, and accepts it once the plan has been renewed',
  { tags: ['slow'] },
  async () => {
    const customer = await someone({ card: true })
    await world()
      .db.updateTable('schedules')
      .set({ expires_at: new Date(world().deps.clock.now().epochMilliseconds) })
      .where('service_id', '=', customer.service.id)
      .execute()
    await expectRefusal(
      customer,
      { saved: true },
      refused('This Prepay Plan has expired. Please renew it before you buy an Add-On.'),
    )
    await renew(world(), customer.visitor, customer.service, { saved: true })
    expect((await buy(customer, { saved: true })).status).toBe(200)
  },
)

test('our records match the gateway’s and the network’s records after add-on purchases', async () =>
  expect(await findFaultsWhenIdle(world())).toEqual([]))
