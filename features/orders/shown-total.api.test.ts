import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { centsToDecimal } from '#kit/contract/money.ts'
import { activationMessages } from '#features/activation/activation.contract.ts'
import { makeSubscriber } from '#quality/support/customer.ts'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { buyAddOn, renew, resumeOrder } from '#quality/support/purchases.ts'
import { readProviderRecords, setWebhookMode } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Answer, Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()

const setPrice = (product: string, price_cents: number) =>
  world().db.updateTable('products').set({ price_cents }).where('unique_id', '=', product).execute()
const ordersOf = async ({ by: [column, value] }: Buyer) =>
  (await world().db.selectFrom('orders').selectAll().where(column, '=', value).orderBy('created_at').execute()).filter(
    ({ kind }) => column === 'iccid' || kind !== 'activation',
  )
const gatewayLines = async () => (await world().ledgers()).gateway.length
const written = async (buyer: Buyer) => ({
  orders: (await ordersOf(buyer)).length,
  lines: await gatewayLines(),
})

type Press = { expected?: unknown; key?: string; holder?: string; saved?: boolean }
type Buyer = { visitor: Visitor; by: ['iccid' | 'service_id', string]; press(how?: Press): Promise<Answer> }

const shown = ({ expected }: Press) => (expected === undefined ? {} : { expected_total: expected })

async function subscriber(
  press: typeof renew | typeof buyAddOn,
  product: string,
  body: Record<string, unknown> = {},
): Promise<Buyer> {
  const { visitor, service } = await makeSubscriber(world(), { card: true })
  return {
    visitor,
    by: ['service_id', service.id],
    press: (how = {}) => press(world(), visitor, service, { ...how, product, body: { ...body, ...shown(how) } }),
  }
}

async function traveller(): Promise<Buyer> {
  const { visitor, sim, pay } = await advanceWizardTo(world(), 'PAYMENT')
  return {
    visitor,
    by: ['iccid', sim.iccid],
    press: ({ saved: _, ...how } = {}) => pay({ ...how, body: shown(how) }),
  }
}

const calls = [
  ['pay', 'plan-30-5gb', 2200, traveller, { __all__: [activationMessages.changed] }],
  [
    'recharge',
    'plan-30-15gb',
    3600,
    () => subscriber(renew, 'plan-30-15gb'),
    { product: ['Please select a Prepay Plan.'] },
  ],
  ['addons', 'extra-2gb', 1000, () => subscriber(buyAddOn, 'extra-2gb'), { product: ['Please select an Add-On.'] }],
] as const

const answered = ({ status, body }: Answer) => ({ status, body })
const now = (cents: number) => ({ status: 409, body: { total: centsToDecimal(cents) } })
const codeOf = async (buyer: Buyer): Promise<string> => (await ordersOf(buyer)).at(-1)?.order_code ?? ''
const expectCharged = async (buyer: Buyer, cents: number) => {
  const code = await codeOf(buyer)
  await pollUntil(async () =>
    (await readProviderRecords(world(), code)).gateway.every(({ captured }) => captured === cents),
  )
  expect((await readProviderRecords(world(), code)).gateway).toMatchObject([
    { authorised: cents, captured: cents, cancelled: 0 },
  ])
}

beforeEach(() => setWebhookMode(world(), { mode: 'normal' }))
afterEach(async () => {
  for (const [, product, cents] of calls) await setPrice(product, cents)
})

describe.each(calls)('the expected total in the request %s', (name, product, price, buyerOf, withdrawn) => {
  /*
   * Add-ons and renewals share this code, so for add-ons `npm test` only checks a changed price. The other add-on tests run only on
   * PostgreSQL.
   */
  const rest = { tags: name === 'addons' ? ['slow'] : [] }
  const dearer = price + 700

  test('charges the expected total if the price has not changed', rest, async () => {
    const buyer = await buyerOf()
    expect((await buyer.press({ expected: centsToDecimal(price) })).status).toBe(200)
    await expectCharged(buyer, price)
  })

  test.each([
    ['dearer', dearer],
    ['cheaper', price - 300],
  ])(
    'responds with 409 and the new total if the product is now %s, charges nothing, and then accepts the new total',
    { tags: ['slow'] },
    async (_how, cents) => {
      const buyer = await buyerOf()
      const before = await written(buyer)
      await setPrice(product, cents)
      expect(answered(await buyer.press({ expected: centsToDecimal(price) }))).toEqual(now(cents))
      expect(answered(await buyer.press({ expected: centsToDecimal(price), saved: true }))).toEqual(now(cents))
      expect(await written(buyer)).toEqual(before)
      expect((await buyer.press({ expected: centsToDecimal(cents) })).status).toBe(200)
      await expectCharged(buyer, cents)
    },
  )

  test(
    'a repeated idempotency key returns the first order, whatever the expected total or the current price',
    rest,
    async () => {
      const buyer = await buyerOf()
      const first = await buyer.press({ expected: centsToDecimal(price), key: 'mine' })
      const code = await codeOf(buyer)
      await setPrice(product, dearer)
      for (const expected of [centsToDecimal(price), centsToDecimal(dearer), '0.01', undefined]) {
        const again = await buyer.press({ expected, key: 'mine' })
        expect([again.status, again.body.order_code]).toEqual([first.status, code])
      }
      expect(await ordersOf(buyer)).toHaveLength(1)
      await expectCharged(buyer, price)
    },
  )

  test(
    'an idempotency key can be reused after its total was rejected, because no order was created with it',
    rest,
    async () => {
      const buyer = await buyerOf()
      await setPrice(product, dearer)
      expect(answered(await buyer.press({ expected: centsToDecimal(price), key: 'mine' }))).toEqual(now(dearer))
      expect((await buyer.press({ expected: centsToDecimal(dearer), key: 'mine' })).status).toBe(200)
      await expectCharged(buyer, dearer)
    },
  )

  test('resuming a payment after a price change charges the original price', rest, async () => {
    await setWebhookMode(world(), { mode: 'hold' })
    const buyer = await buyerOf()
    const first = await buyer.press({ expected: centsToDecimal(price), holder: 'TIMEOUT' })
    expect(first.status).toBe(202)
    await setPrice(product, dearer)
    expect((await resumeOrder(buyer.visitor, first.body.order_code)).status).toBe(200)
    await setWebhookMode(world(), { mode: 'normal', release: true })
    await expectCharged(buyer, price)
  })

  test('rejects an expected total that is not a valid amount', rest, async () => {
    const buyer = await buyerOf()
    const before = await written(buyer)
    for (const expected of [
      '',
      '29',
      '29.000',
      '-29.00',
      '$29.00',
      price,
      null,
      [centsToDecimal(price)],
      '9'.repeat(400),
    ])
      expect(answered(await buyer.press({ expected }))).toEqual({
        status: 400,
        body: { expected_total: [expect.any(String)] },
      })
    expect(await written(buyer)).toEqual(before)
  })

  test('charges the current price if the request contains no expected total', rest, async () => {
    const buyer = await buyerOf()
    await setPrice(product, dearer)
    expect((await buyer.press()).status).toBe(200)
    await expectCharged(buyer, dearer)
  })

  test('if a request has a wrong total and other errors, the other errors are reported', rest, async () => {
    const buyer = await buyerOf()
    const hide = (hidden: boolean) =>
      world().db.updateTable('products').set({ hidden }).where('unique_id', '=', product).execute()
    await hide(true)
    const { body } = await buyer.press({ expected: '0.01' })
    await hide(false)
    expect(body).toEqual(withdrawn)
  })
})

test('for a renewal that starts later, the expected total is compared with the plan’s current price', async () => {
  const buyer = await subscriber(renew, 'plan-30-15gb', { starts: 'at_end' })
  await setPrice('plan-30-15gb', 4100)
  expect(answered(await buyer.press({ expected: '36.00' }))).toEqual(now(4100))
  expect((await buyer.press({ expected: '41.00' })).status).toBe(200)
  await expectCharged(buyer, 4100)
})

describe('the expected total of a voucher purchase', () => {
  const voucherOf = (code: string) => world().visitor().get(`/api/vouchers/${code}/`)

  test.each([
    [
      'pay',
      async (voucher: string): Promise<(body: object) => Promise<Answer>> => {
        const { pay } = await advanceWizardTo(world(), 'PAYMENT', { voucher })
        return (body) => pay({ body: { ...body } })
      },
    ],
    [
      'recharge',
      async (voucher: string): Promise<(body: object) => Promise<Answer>> => {
        const { visitor, service } = await makeSubscriber(world())
        return (body) => renew(world(), visitor, service, { voucher, body: { ...body } })
      },
    ],
  ] as const)('a voucher in the request %s pays the whole price, whatever the plan costs', async (_name, formOf) => {
    const voucher = await world().newVoucher()
    const press = await formOf(voucher)
    const { body: good } = await voucherOf(voucher)
    const lines = await gatewayLines()
    expect(answered(await press({ expected_total: good.product.price }))).toEqual(now(0))
    expect((await voucherOf(voucher)).body).toEqual(good)
    await setPrice(good.product.unique_id, 99_900)
    expect((await press({ expected_total: '0.00' })).status).toBe(200)
    await setPrice(good.product.unique_id, Math.round(100 * good.product.price))
    expect(await gatewayLines()).toBe(lines)
  })
})

describe('price changes during the activation wizard', () => {
  test('the activation wizard shows the plan’s current price and charges that price', async () => {
    const { visitor, pay, look } = await advanceWizardTo(world(), 'PAYMENT')
    expect((await look()).balance_due).toBe('22.00')
    await setPrice('plan-30-5gb', 2900)
    expect(answered(await pay({ body: { expected_total: '22.00' } }))).toEqual(now(2900))
    expect(await look()).toMatchObject({ state: 'PAYMENT', balance_due: '29.00', order_code: null, retry: false })
    expect(await visitor.get('/api/activate/')).toMatchObject({ body: { product: { price: '29.00' } } })
    expect((await pay({ body: { expected_total: '29.00' } })).status).toBe(200)
  })

  test('does not charge the card if a plan with a different price was chosen in another tab', async () => {
    const { visitor, pay } = await advanceWizardTo(world(), 'PAYMENT')
    await visitor.post('/api/activate/plan/', { plan: 'plan-30-15gb' })
    expect(answered(await pay({ body: { expected_total: '22.00' } }))).toEqual(now(3600))
  })

  test('after a payment is rejected because of a wrong expected total, the SIM is still free and no account exists', async () => {
    const { sim, email, pay } = await advanceWizardTo(world(), 'PAYMENT')
    expect((await pay({ body: { expected_total: '1.00' } })).status).toBe(409)
    const { db } = world()
    expect(
      await db.selectFrom('sim_packs').select('order_id').where('iccid', '=', sim.iccid).executeTakeFirst(),
    ).toEqual({ order_id: null })
    expect(await db.selectFrom('users').select('id').where('email', '=', email).execute()).toEqual([])
  })
})

test(
  'twenty payments rejected for a wrong total do not count towards the hourly limit on purchases',
  { tags: ['slow'] },
  async () => {
    const buyer = await subscriber(buyAddOn, 'extra-2gb')
    for (let count = 0; count < 20; count++)
      expect((await buyer.press({ expected: '1.00', saved: true })).status).toBe(409)
    expect((await buyer.press({ expected: '10.00', saved: true })).status).toBe(200)
  },
)
