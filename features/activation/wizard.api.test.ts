import { describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import {
  activate,
  password,
  portForm,
  advanceWizardTo,
  type WizardVisitor,
} from '#quality/support/activation-journey.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'

const world = useWorld()

const changed = {
  status: 409,
  body: { __all__: ['Your activation has changed, perhaps in another tab. Please continue from here.'] },
}
const person = () => ({ full_name: 'Mere Tane', email: newEmail(), password, marketing_consent: false })
const answer = ({ visitor }: Pick<WizardVisitor, 'visitor'>, step: string, body: object) =>
  visitor.post(`/api/activate/${step}/`, body)

describe('visitors who have not started an activation', () => {
  test.each(['/api/activate/', '/api/activate/activate/'])(
    'GET %s answers 404 to a visitor without an activation',
    async (path) => {
      expect((await world().visitor().get(path)).status).toBe(404)
      expect((await advanceWizardTo(world(), 'PAYMENT')).visitor).toBeDefined()
      expect((await world().visitor().get(path)).status).toBe(404)
    },
  )

  test('without an activation, submitting a later wizard step gets a 409 and pressing Try Again gets a 404', async () => {
    const visitor = world().visitor()
    const answers = {
      signup: person(),
      port: portForm('027 555 0142'),
      method: { method: 'payment' },
      plan: { plan: 'plan-30-5gb' },
      pay: { adyen_encrypted: world().card() },
    }
    for (const [step, body] of Object.entries(answers))
      expect(await answer({ visitor }, step, body)).toMatchObject(changed)
    expect((await visitor.post('/api/activate/activate/')).status).toBe(404)
  })
})

describe('wizard steps submitted too early', () => {
  test.each([
    ['PORTING_ENTERED', ['signup', 'method', 'plan', 'pay']],
    ['CREATED', ['method', 'plan', 'pay']],
    ['DETAILS_ENTERED', ['plan', 'pay']],
    ['METHOD_ENTERED', ['pay']],
  ] as const)('in %s, submitting a later step answers 409 and changes nothing: %o', async (state, steps) => {
    const traveller = await advanceWizardTo(
      world(),
      state,
      state === 'PORTING_ENTERED' ? { port: portForm('027 555 0142') } : {},
    )
    const before = await traveller.look()
    const answers = {
      signup: person(),
      method: { method: 'payment' },
      plan: { plan: 'plan-30-5gb' },
      pay: { payment_method: '1', adyen_encrypted: world().card() },
    }
    for (const step of steps) expect(await answer(traveller, step, answers[step])).toMatchObject(changed)
    expect(await traveller.look()).toEqual(before)
  })

  test("answers 409 if a visitor with a voucher chooses a plan other than the voucher's plan", async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT', { voucher: await world().newVoucher() })
    expect(await answer(traveller, 'plan', { plan: 'plan-7-500mb' })).toMatchObject(changed)
  })
})

describe('going back in the activation wizard', () => {
  test('at the checkout, a visitor can go back to any earlier step and submit it and the following steps again', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT', { port: portForm('027 555 0142') })
    expect(await answer(traveller, 'plan', { plan: 'plan-90-25gb' })).toMatchObject({
      body: { state: 'PAYMENT', balance_due: '109.65' },
    })
    expect(await answer(traveller, 'method', { method: 'payment' })).toMatchObject({
      body: { state: 'METHOD_ENTERED', product: null, plan_title: '', balance_due: '0.00' },
    })
    await answer(traveller, 'plan', { plan: 'plan-7-5gb' })

    const mere = person()
    expect(await answer(traveller, 'signup', mere)).toMatchObject({
      body: { state: 'DETAILS_ENTERED', full_name: 'Mere Tane', email: mere.email, method: null, product: null },
    })
    expect(await answer(traveller, 'plan', { plan: 'plan-7-5gb' })).toMatchObject(changed)
    await answer(traveller, 'method', { method: 'voucher', code: await world().newVoucher('plan-30-15gb') })

    const account = { msisdn: '022 555 0142', provider: 'spark', billing_method: 2, account_number: 'AB12345' }
    expect(await answer(traveller, 'port', account)).toMatchObject({
      body: {
        state: 'CREATED',
        porting_request: { msisdn: '022 555 0142', provider: 'spark', billing_method: 2 },
        full_name: '',
        email: '',
        method: null,
        using_voucher: false,
        product: null,
      },
    })
    expect(await answer(traveller, 'method', { method: 'payment' })).toMatchObject(changed)
    await answer(traveller, 'signup', mere)
    await answer(traveller, 'method', { method: 'payment' })
    expect(await answer(traveller, 'plan', { plan: 'plan-30-1-5gb' })).toMatchObject({
      body: { state: 'PAYMENT', full_name: 'Mere Tane', balance_due: '16.00', using_voucher: false },
    })
  })

  test("after a different order has redeemed an activation's voucher, reports that the voucher has already been used", async () => {
    const voucher = await world().newVoucher()
    const traveller = await advanceWizardTo(world(), 'PAYMENT', { voucher })
    const read = async () => (await traveller.visitor.get('/api/activate/')).body.voucher_refusal
    expect(await read()).toBeNull()
    await activate(world(), { voucher })
    expect(await read()).toBe('This voucher has already been used.')
    await answer(traveller, 'method', { method: 'payment' })
    expect(await read()).toBeNull()
  })

  test('switching between voucher and card discards the answers given for the previous method', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT', { voucher: await world().newVoucher() })
    expect(await answer(traveller, 'method', { method: 'payment' })).toMatchObject({
      body: { state: 'METHOD_ENTERED', using_voucher: false, product: null },
    })
    expect(await answer(traveller, 'plan', { plan: 'plan-30-25gb' })).toMatchObject({ body: { balance_due: '43.00' } })
    expect(await answer(traveller, 'method', { method: 'voucher', code: await world().newVoucher() })).toMatchObject({
      body: { state: 'PAYMENT', using_voucher: true, plan_title: '5 GB Prepay Plan', balance_due: '0.00' },
    })
  })

  test('going back and entering a different SIM starts over and deletes the earlier answers', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT', { port: portForm('027 555 0142') })
    const sim = await world().newSim()
    const { body } = await answer(traveller, 'sim', { ...sim, setup_porting: false })
    expect(body).toMatchObject({
      state: 'CREATED',
      phone_number: formatNational(sim.msisdn),
      setup_porting: false,
      porting_request: null,
      full_name: '',
      email: '',
      product: null,
    })
    expect(await answer(traveller, 'port', portForm('027 555 0142'))).toMatchObject(changed)
    expect(
      await world()
        .db.selectFrom('activations')
        .select('id')
        .where('email', '=', traveller.email)
        .where('ended_at', 'is', null)
        .execute(),
    ).toEqual([])
  })

  test('going back to the SIM step and entering wrong SIM digits leaves the activation unchanged', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    const before = await traveller.look()
    const wrong = traveller.sim.sim_serial === '0000' ? '0001' : '0000'
    expect((await answer(traveller, 'sim', { ...traveller.sim, sim_serial: wrong, setup_porting: false })).status).toBe(
      400,
    )
    expect(await traveller.look()).toEqual(before)
  })
})

describe('the activation checkout', () => {
  const port = {
    msisdn: '027 555 0142',
    provider: 'skinny',
    billing_method: '1',
    prepaid_sim_number: '8964050123456789012',
  }

  test('an activation at the checkout has all fields in the specification, plus three about new customers and vouchers', async () => {
    const { look, sim, email } = await advanceWizardTo(world(), 'PAYMENT', { port, plan: 'plan-90-5gb' })
    const shown = await look()
    expect(shown).toEqual({
      state: 'PAYMENT',
      activation_state: 'NOT_STARTED',
      product: (await world().visitor().get('/api/products/')).body['plan-90-5gb'],
      next_product: null,
      is_new_customer: true,
      balance_due: '56.10',
      full_name: 'Ana Rewi',
      email,
      phone_number: formatNational(sim.msisdn),
      setup_porting: true,
      porting_request: {
        msisdn: '027 555 0142',
        provider: 'skinny',
        billing_method: 1,
        prepaid_sim_number: '8964050123456789012',
        account_number: '',
      },
      porting_providers: (await world().visitor().get('/api/account/porting_providers/')).body.providers,
      method: 'payment',
      using_voucher: false,
      voucher_refusal: null,
      plan_title: '5 GB Prepay Plan',
      order_code: null,
      uuid: null,
      retry: false,
    })
  })

  test('all activation endpoints return the same activation, and answer 404 to a different visitor', async () => {
    const { visitor, look } = await advanceWizardTo(world(), 'METHOD_ENTERED')
    const shown = await look()
    expect((await visitor.get('/api/activate/activate/')).body).toEqual(shown)
    expect((await visitor.post('/api/activate/activate/')).body).toEqual(shown)
    expect((await world().visitor().get('/api/activate/')).status).toBe(404)
  })

  test('neither the activation nor the responses to the wizard steps contain secrets', async () => {
    const { visitor, sim, look } = await advanceWizardTo(world(), 'PORTING_ENTERED', { port })
    const answers = [await look()]
    for (const [step, body] of Object.entries({
      port,
      signup: person(),
      method: { method: 'voucher', code: await world().newVoucher() },
    }))
      answers.push((await answer({ visitor }, step, body)).body)
    const text = JSON.stringify(answers)
    for (const secret of [password, 'argon2', 'password', 'session', sim.iccid, visitor.cookie('fantail')])
      expect(text).not.toContain(secret)
  })
})

describe('activations in which no step has been submitted for a day', () => {
  test(
    'an activation lapses a day after its last step, and its password hash is deleted',
    { tags: ['slow'] },
    async () => {
      const [touched, left] = [
        await advanceWizardTo(world(), 'DETAILS_ENTERED'),
        await advanceWizardTo(world(), 'PAYMENT'),
      ]
      await world().advance('PT23H')
      await answer(touched, 'method', { method: 'payment' })
      expect((await left.visitor.get('/api/activate/')).status).toBe(200)
      await world().advance('PT2H')
      expect((await left.visitor.get('/api/activate/')).status).toBe(404)
      expect(await answer(left, 'method', { method: 'payment' })).toMatchObject(changed)
      expect((await touched.look()).state).toBe('METHOD_ENTERED')
      expect(await passwordHashOf(left)).toBeNull()
      expect((await answer(left, 'sim', { ...left.sim, setup_porting: false })).status).toBe(200)
    },
  )

  test(
    'an activation lapses a day after a refused payment, because it has no open order',
    { tags: ['slow'] },
    async () => {
      const traveller = await advanceWizardTo(world(), 'PAYMENT')
      expect((await traveller.pay({ holder: 'DECLINED' })).status).toBe(400)
      await world().advance('PT25H')
      expect((await traveller.visitor.get('/api/activate/')).status).toBe(404)
      expect(await passwordHashOf(traveller)).toBeNull()
    },
  )

  test('answers 409 if the visitor starts over with any SIM while a payment is pending', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    expect((await traveller.pay({ holder: 'HELD' })).status).toBe(202)
    for (const sim of [traveller.sim, await world().newSim(), { ...traveller.sim, sim_serial: '0000' }])
      expect(await answer(traveller, 'sim', { ...sim, setup_porting: false })).toMatchObject({
        status: 409,
        body: { __all__: ['Your payment is being processed. Please wait a moment.'] },
      })
    expect(await traveller.look()).toMatchObject({ state: 'PAYMENT', retry: true })
  })

  test('an activation does not lapse while a payment is pending', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    expect((await traveller.pay({ holder: 'HELD' })).status).toBe(202)
    await world().advance('PT49H')
    expect(await traveller.look()).toMatchObject({ state: 'PAYMENT', retry: true, order_code: expect.any(String) })
  })

  const passwordHashOf = async ({ email }: WizardVisitor) =>
    (await world().db.selectFrom('activations').select('password_hash').where('email', '=', email).executeTakeFirst())
      ?.password_hash
})
