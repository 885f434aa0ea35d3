import { describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { type Customer, logInAs, makeCustomer } from '#quality/support/customer.ts'
import {
  activate,
  type WizardInputs,
  portForm,
  advanceWizardTo,
  type WizardVisitor,
} from '#quality/support/activation-journey.ts'
import { loseResponseTo } from '#quality/support/lost-response.ts'
import { newPortableNumber, setWebhookMode } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'
import { activationMessages } from './activation.contract.ts'
import type { WizardState } from './activation.states.ts'

const world = useWorld()

const as = (visitor: Visitor) => ({ ...world(), visitor: () => visitor })
const travelAs = ({ visitor }: Customer, state: WizardState, answers?: WizardInputs) =>
  advanceWizardTo(as(visitor), state, answers)
const logIn = (visitor: Visitor, { email, password }: Customer) =>
  visitor.post('/api/account/login/', { username: email, password })
const look = async (visitor: Visitor) => (await visitor.get('/api/activate/')).body
const servicesOf = async ({ visitor }: Customer) =>
  Object.values((await visitor.get('/api/services/')).body as Record<string, { msisdn: string }>)
const rowOf = ({ sim }: Pick<WizardVisitor, 'sim'>) =>
  world()
    .db.selectFrom('activations')
    .select(['user_id', 'email', 'full_name', 'password_hash', 'marketing_consent', 'state'])
    .where('iccid', '=', sim.iccid)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()

describe('activations by a signed-in customer', () => {
  test.each([
    ['with a confirmed address', true],
    ['whose address is not confirmed yet', false],
  ])('a customer %s activates another SIM without entering personal details', async (_, verified) => {
    const customer = await makeCustomer(world(), { services: 1, verified, first_name: 'Mere', last_name: 'Te Rangi' })
    const { visitor, email } = customer
    const sim = await world().newSim()
    const started = await visitor.post('/api/activate/sim/', { ...sim, setup_porting: false })
    expect(started).toMatchObject({
      status: 200,
      body: { state: 'DETAILS_ENTERED', full_name: 'Mere Te Rangi', email },
    })
    expect(
      (await visitor.post('/api/activate/signup/', { full_name: 'Some One', email: newEmail(), password: 'korimako1' }))
        .status,
    ).toBe(409)
    await visitor.post('/api/activate/method/', { method: 'payment' })
    expect((await visitor.post('/api/activate/plan/', { plan: 'plan-30-5gb' })).body).toMatchObject({
      state: 'PAYMENT',
      full_name: 'Mere Te Rangi',
      email,
    })
    const paid = await visitor.post(
      '/api/activate/pay/',
      { payment_method: '1', adyen_encrypted: world().card() },
      { 'idempotency-key': crypto.randomUUID() },
    )
    expect(paid.status).toBe(200)
    const { order_code } = await pollUntil(async () => {
      const { body } = await visitor.get('/api/activate/activate/')
      return body.state === 'SUCCESSFUL' && body
    })

    const services = await world()
      .db.selectFrom('services')
      .select('msisdn')
      .where('user_id', '=', customer.id)
      .orderBy('created_at')
      .execute()
    expect(services.map(({ msisdn }) => msisdn)).toEqual([customer.services[0]?.msisdn, sim.msisdn])
    expect(
      await world()
        .db.selectFrom('invoices')
        .select(['full_name', 'email'])
        .where('order_code', '=', order_code)
        .executeTakeFirst(),
    ).toEqual({ full_name: 'Mere Te Rangi', email })
    const { user } = (await visitor.get('/api/account/')).body
    expect(user).toMatchObject({
      first_name: 'Mere',
      email_verified: verified,
      phone: customer.services[0]?.msisdn,
      credit_card_token: { masked_card_number: '**** **** **** 1111' },
    })
    expect((await logIn(world().visitor(), customer)).status).toBe(200)

    const [mail] = await pollUntil(async () => {
      const mails = (await world().mailTo(email)).filter(({ text }) => text.includes(order_code))
      return mails.length > 0 && mails
    })
    expect(mail?.subject).toBe('Your new SIM is active')
    expect(mail?.text).toContain('You will find your new SIM on your dashboard.')
    expect(mail?.text).not.toMatch(/If you did not ask for it|confirm your email/)
  })

  test(
    'a signed-in customer can transfer a number and skips the personal details step',
    { tags: ['slow'] },
    async () => {
      const customer = await makeCustomer(world(), { services: 1 })
      const number = await newPortableNumber(world())
      const port = portForm(number)
      const { done, sim } = await activate(as(customer.visitor), { port })
      expect(done).toMatchObject({ state: 'SUCCESSFUL', setup_porting: true, email: customer.email })
      const [, second] = Object.values((await customer.visitor.get('/api/services/')).body as Record<string, object>)
      expect(second).toMatchObject({
        msisdn: sim.msisdn,
        phone_number: formatNational(sim.msisdn),
        porting_request: { msisdn: number },
      })
    },
  )

  test('a signed-in customer who changes the number transfer keeps their name and email address', async () => {
    const customer = await makeCustomer(world())
    const { visitor } = await travelAs(customer, 'PAYMENT', { port: portForm('021 555 0142') })
    expect((await visitor.post('/api/activate/port/', portForm('021 555 0191'))).body).toMatchObject({
      state: 'DETAILS_ENTERED',
      email: customer.email,
      method: null,
    })
  })

  test('a signed-in customer with a voucher skips the plan step and is not charged', async () => {
    const customer = await makeCustomer(world())
    const { done } = await activate(as(customer.visitor), { voucher: await world().newVoucher() })
    expect(done).toMatchObject({ state: 'SUCCESSFUL', balance_due: '0.00' })
    expect(await servicesOf(customer)).toHaveLength(1)
  })

  test('shows only the first name of a signed-in customer who has no last name', async () => {
    const customer = await makeCustomer(world(), { first_name: 'Hinemoa', last_name: '' })
    expect(await (await travelAs(customer, 'DETAILS_ENTERED')).look()).toMatchObject({ full_name: 'Hinemoa' })
  })
})

describe('visitors who sign in during the activation wizard', () => {
  test.each<[WizardState, WizardInputs, WizardState]>([
    ['PORTING_ENTERED', { port: portForm('021 555 0142') }, 'PORTING_ENTERED'],
    ['CREATED', {}, 'DETAILS_ENTERED'],
    ['DETAILS_ENTERED', {}, 'DETAILS_ENTERED'],
    ['METHOD_ENTERED', {}, 'METHOD_ENTERED'],
    ['PAYMENT', {}, 'PAYMENT'],
  ])("signing in at %s continues the activation with the customer's details", async (state, answers, next) => {
    const customer = await makeCustomer(world(), { first_name: 'Mere', last_name: 'Tane' })
    const traveller = await advanceWizardTo(world(), state, answers)
    expect((await logIn(traveller.visitor, customer)).status).toBe(200)
    expect(await traveller.look()).toMatchObject({ state: next, email: customer.email, full_name: 'Mere Tane' })
    // None of the details that the visitor entered before signing in are left, not even the password's hash.
    expect(await rowOf(traveller)).toEqual({
      user_id: customer.id,
      email: customer.email,
      full_name: 'Mere Tane',
      password_hash: null,
      marketing_consent: false,
      state: next,
    })
  })

  test(
    'a visitor who signs in and pays gets the service in their account, not under the email address entered earlier',
    { tags: ['slow'] },
    async () => {
      const customer = await makeCustomer(world(), { services: 1 })
      const traveller = await advanceWizardTo(world(), 'PAYMENT', { full_name: 'Some One' })
      await logIn(traveller.visitor, customer)
      /*
       * The open page still shows the details that the visitor entered before signing in. The payment is rejected until the page has been
       * reloaded.
       */
      const early = await traveller.pay()
      expect({ status: early.status, body: early.body }).toEqual({
        status: 409,
        body: { __all__: [activationMessages.changed] },
      })
      expect(await traveller.look()).toMatchObject({
        state: 'PAYMENT',
        email: customer.email,
        balance_due: '22.00',
        order_code: null,
      })
      expect((await traveller.pay()).status).toBe(200)
      const { order_code } = await traveller.arriveAt('SUCCESSFUL')
      expect((await servicesOf(customer)).map(({ msisdn }) => msisdn)).toContain(traveller.sim.msisdn)
      expect(
        await world().db.selectFrom('users').select('id').where('email', '=', traveller.email).executeTakeFirst(),
      ).toBeUndefined()
      expect(
        await world()
          .db.selectFrom('invoices')
          .select('email')
          .where('order_code', '=', order_code ?? '')
          .executeTakeFirst(),
      ).toEqual({ email: customer.email })
    },
  )

  test('signing in during the wizard takes effect from the next step, even if no page is loaded in between', async () => {
    const customer = await makeCustomer(world())
    const traveller = await advanceWizardTo(world(), 'CREATED')
    await logIn(traveller.visitor, customer)
    expect((await traveller.visitor.post('/api/activate/method/', { method: 'payment' })).body).toMatchObject({
      state: 'METHOD_ENTERED',
      email: customer.email,
    })
  })

  test('answers 409 to a sign-up sent by an outdated page after the visitor has signed in', async () => {
    const customer = await makeCustomer(world())
    const traveller = await advanceWizardTo(world(), 'CREATED')
    await logIn(traveller.visitor, customer)
    const answers = { full_name: 'Some One', email: newEmail(), password: 'korimako1', marketing_consent: true }
    expect((await traveller.visitor.post('/api/activate/signup/', answers)).status).toBe(409)
    expect(await traveller.look()).toMatchObject({ state: 'DETAILS_ENTERED', email: customer.email })
  })

  test('concurrent requests after a sign-in attach the activation to the customer exactly once, with all its details', async () => {
    const customer = await makeCustomer(world(), { first_name: 'Mere', last_name: 'Tane' })
    const traveller = await advanceWizardTo(world(), 'DETAILS_ENTERED')
    const { visitor } = traveller
    await logIn(visitor, customer)
    const answers = { full_name: 'Some One', email: newEmail(), password: 'korimako1', marketing_consent: true }
    const all = await Promise.all([
      ...Array.from({ length: 6 }, () => visitor.get('/api/activate/')),
      visitor.post('/api/activate/signup/', answers),
      visitor.post('/api/activate/method/', { method: 'payment' }),
    ])
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 409, 200])
    expect(await rowOf(traveller)).toMatchObject({
      user_id: customer.id,
      email: customer.email,
      full_name: 'Mere Tane',
      password_hash: null,
      state: 'METHOD_ENTERED',
    })
  })

  test("signing in while a payment is pending does not change the order's email address", async () => {
    const customer = await makeCustomer(world())
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    // Hold the webhook back, because it would report the outcome before the visitor has signed in.
    await setWebhookMode(world(), { mode: 'hold' })
    const paid = await loseResponseTo(world(), () => traveller.pay())
    expect(paid.status).toBe(202)
    await logIn(traveller.visitor, customer)
    expect(await traveller.look()).toMatchObject({
      state: 'PAYMENT',
      email: traveller.email,
      order_code: paid.body.order_code,
      retry: true,
    })
    await setWebhookMode(world(), { mode: 'normal', release: true })
    await traveller.visitor.post(`/api/orders/${paid.body.order_code}/resume/`, {})
    const { email } = await traveller.arriveAt('SUCCESSFUL')
    expect(email).toBe(traveller.email)
    expect(await servicesOf(customer)).toEqual([])
    expect(
      await world().db.selectFrom('users').select('email').where('email', '=', traveller.email).executeTakeFirst(),
    ).toEqual({ email: traveller.email })
  })

  test('a visitor who signs in after a refused payment pays as that customer', async () => {
    const customer = await makeCustomer(world())
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    expect((await traveller.pay({ holder: 'DECLINED' })).status).toBe(400)
    await logIn(traveller.visitor, customer)
    expect(await traveller.look()).toMatchObject({ state: 'PAYMENT', email: customer.email })
    expect((await traveller.pay()).status).toBe(200)
    await traveller.arriveAt('SUCCESSFUL')
    expect(await servicesOf(customer)).toHaveLength(1)
  })
})

describe('the next visitor in the same browser', () => {
  test('the next visitor sees no activation after a customer has logged out', async () => {
    const { visitor } = await travelAs(await makeCustomer(world()), 'PAYMENT')
    await visitor.post('/api/account/logout/')
    expect((await visitor.get('/api/activate/')).status).toBe(404)
    expect((await visitor.post('/api/activate/method/', { method: 'payment' })).status).toBe(409)
    expect(
      (await visitor.post('/api/activate/pay/', { payment_method: '1', adyen_encrypted: world().card() })).status,
    ).toBe(409)
  })

  test("a customer who signs in during another customer's session does not see that customer's activation", async () => {
    const { visitor } = await travelAs(await makeCustomer(world()), 'METHOD_ENTERED')
    await logIn(visitor, await makeCustomer(world()))
    expect((await visitor.get('/api/activate/')).status).toBe(404)
  })

  test("a customer's activation does not appear on their other devices", async () => {
    const customer = await makeCustomer(world())
    await travelAs(customer, 'METHOD_ENTERED')
    const other = await logInAs(world(), customer)
    expect((await other.get('/api/activate/')).status).toBe(404)
    expect(await look(customer.visitor)).toMatchObject({ state: 'METHOD_ENTERED' })
  })
})

test("starting activations as a signed-in customer does not end another visitor's activation that is further along", async () => {
  const [stranger, sim] = [await makeCustomer(world()), await world().newSim()]
  const holder = await advanceWizardTo(world(), 'DETAILS_ENTERED', { sim })
  for (let browser = 0; browser < 6; browser++) {
    const visitor = world().visitor()
    await logIn(visitor, stranger)
    const { status, body } = await visitor.post('/api/activate/sim/', { ...sim, setup_porting: false })
    expect([status, body.state]).toEqual([200, 'DETAILS_ENTERED'])
  }
  expect(await holder.look()).toMatchObject({ state: 'DETAILS_ENTERED' })
})
