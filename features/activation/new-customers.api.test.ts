import { beforeEach, describe, expect, test } from 'vitest'
import { type Customer, logInAs, makeCustomer } from '#quality/support/customer.ts'
import { activate, password, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'

const world = useWorld()
beforeEach(() => world().db.deleteFrom('rate_limits').execute())

const welcome = 'welcome-30-25gb'
const forNewCustomers = 'This Prepay Plan is for new customers. Please choose another one.'
const as = (visitor: Visitor) => ({ ...world(), visitor: () => visitor })
const look = async (visitor: Visitor) => (await visitor.get('/api/activate/')).body
const choose = (visitor: Visitor, plan: string) => visitor.post('/api/activate/plan/', { plan })
const pay = (visitor: Visitor) =>
  visitor.post('/api/activate/pay/', { payment_method: '1', adyen_encrypted: world().card() })
const logIn = (visitor: Visitor, { email, password }: Customer) =>
  visitor.post('/api/account/login/', { username: email, password })
const plansOf = async (userId: string) =>
  (
    await world()
      .db.selectFrom('orders')
      .select('product_id')
      .where('user_id', '=', userId)
      .where('state', '=', 'completed')
      .orderBy('created_at')
      .execute()
  ).map(({ product_id }) => product_id)

describe('existing customers who choose a new-customer plan', () => {
  test('rejects a new-customer plan if the signed-in customer already has a service', async () => {
    const { visitor } = await makeCustomer(world(), { services: 1 })
    await advanceWizardTo(as(visitor), 'METHOD_ENTERED')
    expect(await look(visitor)).toMatchObject({ is_new_customer: false })
    expect(await choose(visitor, welcome)).toMatchObject({ status: 400, body: { plan: [forNewCustomers] } })
    expect(await choose(visitor, 'plan-30-5gb')).toMatchObject({ status: 200, body: { state: 'PAYMENT' } })
  })

  test("rejects a new-customer plan even if the customer's only service has ended", async () => {
    const { visitor, id } = await makeCustomer(world(), { services: 1 })
    const release = (released_at: Date | null) =>
      world().db.updateTable('services').set({ released_at }).where('user_id', '=', id).execute()
    await release(new Date())
    expect((await visitor.get('/api/services/')).body).toEqual({})
    await advanceWizardTo(as(visitor), 'METHOD_ENTERED')
    expect(await choose(visitor, welcome)).toMatchObject({ status: 400, body: { plan: [forNewCustomers] } })
    // Undo the release, because it changed only our database and the network still has the number.
    await release(null)
  })

  test('a customer cannot pay for a second new-customer plan in a different session', async () => {
    const customer = await makeCustomer(world())
    const tabs = [customer.visitor, await logInAs(world(), customer)] as const
    for (const visitor of tabs) await advanceWizardTo(as(visitor), 'PAYMENT', { plan: welcome })
    expect((await pay(tabs[0])).status).toBe(200)
    expect(await pay(tabs[1])).toMatchObject({ status: 400, body: { __all__: [forNewCustomers] } })
    await pollUntil(async () => (await look(tabs[0])).state === 'SUCCESSFUL')
    expect(await plansOf(customer.id)).toEqual([welcome])
    expect((await choose(tabs[1], 'plan-30-5gb')).status).toBe(200)
    expect((await pay(tabs[1])).status).toBe(200)
  })

  test('an existing customer who signs in after choosing a new-customer plan must choose a different plan', async () => {
    const customer = await makeCustomer(world(), { services: 1 })
    const { visitor } = await advanceWizardTo(world(), 'PAYMENT', { plan: welcome })
    expect(await look(visitor)).toMatchObject({ state: 'PAYMENT', is_new_customer: true })
    expect((await logIn(visitor, customer)).status).toBe(200)
    expect((await pay(visitor)).status).toBe(409)
    expect(await look(visitor)).toMatchObject({ state: 'METHOD_ENTERED', product: null, is_new_customer: false })
    expect((await pay(visitor)).status).toBe(409)
    expect((await choose(visitor, welcome)).status).toBe(400)
    expect((await choose(visitor, 'plan-30-5gb')).status).toBe(200)
    expect((await pay(visitor)).status).toBe(200)
  })

  test('an existing customer who signs in during the wizard keeps the plan they chose if it is for sale to everybody', async () => {
    const customer = await makeCustomer(world(), { services: 1 })
    const { visitor } = await advanceWizardTo(world(), 'PAYMENT', { plan: 'plan-30-5gb' })
    await logIn(visitor, customer)
    expect(await look(visitor)).toMatchObject({ state: 'PAYMENT', product: { unique_id: 'plan-30-5gb' } })
  })
})

describe('buying a new-customer plan', () => {
  test('sells a new-customer plan to a signed-in customer who has never had a service', async () => {
    const customer = await makeCustomer(world())
    const { done } = await activate(as(customer.visitor), { plan: welcome })
    expect(done.state).toBe('SUCCESSFUL')
    expect(await plansOf(customer.id)).toEqual([welcome])
  })

  test('a new-customer plan can still be bought after a payment for it was refused', async () => {
    const customer = await makeCustomer(world())
    const traveller = await advanceWizardTo(as(customer.visitor), 'PAYMENT', { plan: welcome })
    expect((await traveller.pay({ holder: 'DECLINED' })).status).toBe(400)
    expect((await traveller.pay()).status).toBe(200)
  })

  test('sells a new-customer plan to any anonymous visitor, without revealing who has an account', async () => {
    const customer = await makeCustomer(world(), { services: 1 })
    const answers = []
    for (const email of [customer.email, newEmail()]) {
      const traveller = await advanceWizardTo(world(), 'METHOD_ENTERED', { email, password: 'another 1' })
      const told = [await look(traveller.visitor)]
      told.push((await choose(traveller.visitor, welcome)).body, (await pay(traveller.visitor)).body)
      told.push(await traveller.arriveAt('SUCCESSFUL'))
      const { phone_number, order_code, uuid } = told.at(-1)
      const ownTexts = [email, phone_number, order_code, uuid]
      answers.push(ownTexts.reduce((text, own) => text.replaceAll(own, '…'), JSON.stringify(told)))
    }
    expect(answers[0]?.replace(/"activation_state":"\w+"/g, '')).toBe(
      answers[1]?.replace(/"activation_state":"\w+"/g, ''),
    )
    const made = await world()
      .db.selectFrom('orders')
      .select('product_id')
      .where('email', '=', customer.email)
      .where('product_id', '=', welcome)
      .where('state', '=', 'completed')
      .execute()
    expect(made).toHaveLength(1)
  })

  test("a visitor who signs up with an existing account's email and password can add a new-customer plan to that account", async () => {
    const customer = await makeCustomer(world(), { services: 1, password })
    const { done } = await activate(world(), { email: customer.email, password, plan: welcome })
    expect(done.state).toBe('SUCCESSFUL')
    expect(await plansOf(customer.id)).toContain(welcome)
  })
})

test('the plan list, the checkout and the email show which plan follows a new-customer plan', async () => {
  const { body: products } = await world().visitor().get('/api/products/')
  expect(products[welcome]).toMatchObject({ next_product_unique_id: 'plan-30-25gb' })
  expect(products['plan-30-5gb']).toMatchObject({ next_product_unique_id: null })
  const { visitor } = await advanceWizardTo(world(), 'PAYMENT', { plan: welcome })
  expect(await look(visitor)).toMatchObject({
    product: { unique_id: welcome },
    next_product: { unique_id: 'plan-30-25gb', price: '43.00' },
  })
  const { email } = await activate(world(), { plan: welcome })
  const [mail] = await pollUntil(async () => {
    const mails = await world().mailTo(email)
    return mails.length > 0 && mails
  })
  expect(mail?.text).toMatch(/After that\W+25 GB for 30 days, \$43\.00/)
})
