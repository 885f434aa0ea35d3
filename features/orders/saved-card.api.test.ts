import { beforeEach, describe, expect, test } from 'vitest'
import { type Customer, makeCustomer, makeSubscriber } from '#quality/support/customer.ts'
import { activate, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { buyAddOn, renew } from '#quality/support/purchases.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { readGatewayCards, failGateway, readProviderRecords } from '#quality/support/simulators.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
beforeEach(() => world().db.deleteFrom('rate_limits').execute())

const cardOf = (userId: string) =>
  world().db.selectFrom('saved_cards').selectAll().where('user_id', '=', userId).executeTakeFirst()
const lastOrderOf = (email: string) =>
  world()
    .db.selectFrom('orders')
    .selectAll()
    .where('email', '=', email)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()

describe('saving a card when paying', () => {
  test.each([
    ['no choice sent', undefined, 1],
    ['accepted', true, 1],
    ['declined', false, 0],
  ])('an activation saves the card unless the customer declines: %s', async (_, save_token, kept) => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    const body = {
      payment_method: '1',
      adyen_encrypted: world().card(),
      ...(save_token !== undefined && { save_token }),
    }
    expect((await traveller.visitor.post('/api/activate/pay/', body)).status).toBe(200)
    await traveller.arriveAt('SUCCESSFUL')
    const { id, user_id } = await lastOrderOf(traveller.email)
    expect(await readGatewayCards(world(), id)).toHaveLength(kept)
    expect((await cardOf(user_id ?? ''))?.last_four ?? null).toBe(kept ? '1111' : null)
  })

  test.each([
    ['a renewal', renew, undefined, 1],
    ['a renewal, accepted', renew, true, 1],
    ['a renewal, declined', renew, false, 0],
    ['an add-on', buyAddOn, undefined, 0],
    ['an add-on, accepted', buyAddOn, true, 1],
    ['an add-on, declined', buyAddOn, false, 0],
  ] as const)(
    'a purchase saves the card as the customer chose, or by default: %s',
    { tags: ['slow'] },
    async (_, press, save_token, kept) => {
      const { visitor, service, id } = await makeSubscriber(world())
      expect((await press(world(), visitor, service, { body: { save_token } })).status).toBe(200)
      expect(await readGatewayCards(world(), id)).toHaveLength(kept)
      expect((await cardOf(id))?.last_four ?? null).toBe(kept ? '1111' : null)
    },
  )

  test('a saved card is kept when the customer pays with a different card without saving it', async () => {
    const { visitor, service, id } = await makeSubscriber(world(), { card: true })
    const before = await cardOf(id)
    await renew(world(), visitor, service, { holder: 'Mere Tane', body: { save_token: false } })
    expect(await cardOf(id)).toEqual(before)
  })
})

describe('activations paid for with a saved card', () => {
  const as = ({ visitor }: Customer) => ({ ...world(), visitor: () => visitor })
  const payWithSaved = ({ visitor }: Customer, key: string = crypto.randomUUID()) =>
    visitor.post('/api/activate/pay/', { payment_method: '1', use_saved_card: true }, { 'idempotency-key': key })

  test('a signed-in customer can pay for another activation with their saved card', async () => {
    const customer = await makeCustomer(world(), { card: true })
    const before = await cardOf(customer.id)
    const traveller = await advanceWizardTo(as(customer), 'PAYMENT')
    expect(await payWithSaved(customer)).toMatchObject({ status: 200, body: { state: 'ACTIVATING' } })
    const { order_code } = await traveller.arriveAt('SUCCESSFUL')
    expect((await readProviderRecords(world(), order_code ?? '')).gateway).toMatchObject([
      { authorised: 2200, captured: 2200 },
    ])
    expect(await lastOrderOf(customer.email)).toMatchObject({ paid_with: 'saved_card', user_id: customer.id })
    expect(await cardOf(customer.id)).toEqual(before)
    expect(Object.keys((await customer.visitor.get('/api/services/')).body)).toHaveLength(2)
  })

  test('ten concurrent requests to pay with the saved card charge it only once', async () => {
    const customer = await makeCustomer(world(), { card: true })
    const traveller = await advanceWizardTo(as(customer), 'PAYMENT')
    const answers = await Promise.all(Array.from({ length: 10 }, () => payWithSaved(customer, 'one')))
    for (const { status } of answers) expect([200, 202]).toContain(status)
    const { order_code } = await traveller.arriveAt('SUCCESSFUL')
    expect((await readProviderRecords(world(), order_code ?? '')).gateway).toHaveLength(1)
  })

  const noSavedCard = {
    status: 400,
    body: { __all__: ['You have no saved card. Please enter your card details.'] },
  }

  test('responds with 400 when a visitor who is not signed in tries to pay with a saved card', async () => {
    const { visitor } = await advanceWizardTo(world(), 'PAYMENT')
    const body = { payment_method: '1', use_saved_card: true }
    expect(await visitor.post('/api/activate/pay/', body)).toMatchObject(noSavedCard)
  })

  test(
    'says that there is no saved card if none has been saved or if the email address is unverified',
    { tags: ['slow'] },
    async () => {
      for (const wishes of [{ services: 1 }, { card: true, verified: false }]) {
        const customer = await makeCustomer(world(), wishes)
        await advanceWizardTo(as(customer), 'PAYMENT')
        expect(await payWithSaved(customer)).toMatchObject(noSavedCard)
      }
    },
  )

  test('rejects an expired saved card but accepts a different card', async () => {
    const customer = await makeCustomer(world(), { card: true })
    await world().db.updateTable('saved_cards').set({ expiry: '01/2020' }).where('user_id', '=', customer.id).execute()
    await advanceWizardTo(as(customer), 'PAYMENT')
    expect(await payWithSaved(customer)).toMatchObject({
      status: 400,
      body: { __all__: ['Your saved card has expired. Please use another card.'] },
    })
    expect((await activate(as(customer))).done.state).toBe('SUCCESSFUL')
  })
})

describe('payments that the bank refuses', () => {
  const general = 'Your bank declined this payment. Nothing was charged. Try another card or call your bank.'
  const expired = 'Your saved card has expired. Nothing was charged. Please use another card.'
  const withoutFunds =
    'There is not enough money on your saved card, or it is over its limit. Nothing was charged. Try another card or call your bank.'
  const refused = (sentence: string) => ({ status: 400, body: { __all__: [sentence] } })

  test.each([
    ['refuse_expired', expired],
    ['refuse_balance', withoutFunds],
    ['refuse', general],
  ] as const)('when the bank refuses a saved card (%s), the customer is told why: %s', async (kind, sentence) => {
    const { visitor, service } = await makeSubscriber(world(), { card: true })
    for (const press of [renew, buyAddOn]) {
      await failGateway(world(), { operation: 'authorise', kind })
      const { status, body } = await press(world(), visitor, service, { saved: true })
      expect({ status, body }).toEqual(refused(sentence))
    }
    await advanceWizardTo({ ...world(), visitor: () => visitor }, 'PAYMENT')
    await failGateway(world(), { operation: 'authorise', kind })
    const activation = await visitor.post('/api/activate/pay/', { payment_method: '1', use_saved_card: true })
    expect({ status: activation.status, body: activation.body }).toEqual(refused(sentence))
  })

  test.each(['refuse_expired', 'refuse_balance', 'refuse'] as const)(
    'when the bank refuses a typed card (%s), nobody is told why, whether signed in or not',
    async (kind) => {
      const { visitor, service } = await makeSubscriber(world(), { card: true })
      const { pay } = await advanceWizardTo(world(), 'PAYMENT')
      for (const press of [() => renew(world(), visitor, service), () => buyAddOn(world(), visitor, service), pay]) {
        await failGateway(world(), { operation: 'authorise', kind })
        const { status, body } = await press()
        expect({ status, body }).toEqual(refused(general))
      }
    },
  )

  test('repeating the request with the same idempotency key returns the same message about the refusal', async () => {
    const { visitor, service } = await makeSubscriber(world(), { card: true })
    await failGateway(world(), { operation: 'authorise', kind: 'refuse_balance' })
    for (let press = 0; press < 2; press++)
      expect(await renew(world(), visitor, service, { saved: true, key: 'same' })).toMatchObject(refused(withoutFunds))
  })
})

test('our records match the gateway’s and the network’s after payments with saved cards', async () =>
  expect(await findFaultsWhenIdle(world())).toEqual([]))
