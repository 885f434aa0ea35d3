import { describe, expect, test } from 'vitest'
import { importVouchers } from '#features/vouchers/server/vouchers.store.ts'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { useWizardServer } from '#quality/support/wizard-server.ts'

const rig = useWizardServer()

async function send(body: object) {
  const { visitor } = await advanceWizardTo(rig(), 'DETAILS_ENTERED')
  return visitor.post('/api/activate/method/', body)
}

const required = 'This field is required.'
const codeMissing = 'Please enter a Voucher Code.'
const notValid = 'This voucher code is not valid.'

describe('choosing a payment method', () => {
  test.each([[undefined], [null], [''], ['card'], ['Voucher'], [1], [['voucher']]])(
    'rejects %o as the payment method',
    async (method) => {
      expect(await send({ method })).toMatchObject({ status: 400, body: { method: [required] } })
    },
  )

  test('choosing to buy a plan leads to the plan step, with nothing due yet', async () => {
    expect(await send({ method: 'payment' })).toMatchObject({
      status: 200,
      body: { state: 'METHOD_ENTERED', method: 'payment', using_voucher: false, product: null, balance_due: '0.00' },
    })
  })

  test('ignores a voucher code sent by a visitor who has chosen to buy a plan', async () => {
    expect(await send({ method: 'payment', code: await rig().newVoucher() })).toMatchObject({
      status: 200,
      body: { state: 'METHOD_ENTERED', using_voucher: false },
    })
  })
})

describe('choosing a voucher as the payment method', () => {
  const use = (code: unknown) => send({ method: 'voucher', code })

  test("choosing a voucher selects the voucher's plan, with nothing due", async () => {
    expect(await use(await rig().newVoucher('plan-90-25gb'))).toMatchObject({
      status: 200,
      body: {
        state: 'PAYMENT',
        method: 'voucher',
        using_voucher: true,
        plan_title: '25 GB Prepay Plan',
        product: { unique_id: 'plan-90-25gb', price: '109.65' },
        balance_due: '0.00',
      },
    })
  })

  test('accepts a voucher code in lower case and with surrounding spaces', async () => {
    expect((await use(` ${(await rig().newVoucher()).toLowerCase()} `)).status).toBe(200)
  })

  test.each([
    [undefined, codeMissing],
    ['', codeMissing],
    ['   ', codeMissing],
    [123_456_789_012, codeMissing],
    ['ABCDEFGHJKM', notValid],
    ['ABCDEFGHJKMN', notValid],
    ['ABCDEFGHJKMNP', notValid],
  ])('rejects the voucher code %j', async (code, sentence) => {
    const { status, body } = await use(code)
    expect({ status, body }).toEqual({ status: 400, body: { code: [sentence] } })
  })

  test('rejects an expired voucher and says that it has expired', async () => {
    const { db, secrets, clock } = rig()
    await importVouchers(db, secrets, [
      { code: 'EXPIREDTODAY', productId: 'plan-30-5gb', expiresAt: clock.now().subtract({ seconds: 1 }) },
    ])
    expect(await use('EXPIREDTODAY')).toMatchObject({ status: 400, body: { code: ['This voucher has expired.'] } })
  })

  test('two visitors can choose the same voucher as long as nobody has used it', async () => {
    const code = await rig().newVoucher()
    expect([(await use(code)).status, (await use(code)).status]).toEqual([200, 200])
  })

  test('a voucher remains valid after its plan has been withdrawn from sale', async () => {
    expect(await use(await rig().newVoucher('plan-30-10gb'))).toMatchObject({
      status: 200,
      body: { plan_title: '10 GB Prepay Plan' },
    })
  })
})

describe('choosing a plan', () => {
  async function choose(plan: unknown) {
    const { visitor } = await advanceWizardTo(rig(), 'METHOD_ENTERED')
    return visitor.post('/api/activate/plan/', { plan })
  }

  test.each([
    ['nothing', undefined],
    ['empty', ''],
    ['null', null],
    ['an unknown plan', 'plan-1-1gb'],
    ['an add-on', 'extra-2gb'],
    ['a withdrawn plan', 'plan-30-10gb'],
    ['a plan without a sku', 'plan-180-100gb'],
    ['a sku', 'FT-P30-5GB'],
    ['a list', ['plan-30-5gb']],
    ['an object', { unique_id: 'plan-30-5gb' }],
    ['a number', 30],
  ])('rejects %s as the plan', async (_what, plan) => {
    const { status, body } = await choose(plan)
    expect({ status, body }).toEqual({ status: 400, body: { plan: ['Please select a Prepay Plan.'] } })
  })

  test.each([
    ['plan-7-500mb', '500 MB Prepay Plan', '6.00'],
    ['plan-365-60gb', '60 GB Prepay Plan', '531.00'],
    ['welcome-30-25gb', 'Welcome 25 GB Prepay Plan', '21.50'],
  ])('accepts the plan %s and makes its price due', async (plan, plan_title, balance_due) => {
    expect(await choose(plan)).toMatchObject({
      status: 200,
      body: { state: 'PAYMENT', plan_title, balance_due, product: { unique_id: plan } },
    })
  })

  test('takes the amount due from the catalogue, whatever price the request contains', async () => {
    const { visitor } = await advanceWizardTo(rig(), 'METHOD_ENTERED')
    const { body } = await visitor.post('/api/activate/plan/', {
      plan: 'plan-30-5gb',
      price: '0.01',
      balance_due: '0.00',
      user_id: crypto.randomUUID(),
    })
    expect(body).toMatchObject({ balance_due: '22.00', product: { price: '22.00' } })
  })
})
