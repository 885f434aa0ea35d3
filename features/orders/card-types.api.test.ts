import { beforeEach, describe, expect, test } from 'vitest'
import { dinersCardNumber } from '#quality/support/cards.ts'
import { makeCustomer, makeSubscriber } from '#quality/support/customer.ts'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { buyAddOn, renew } from '#quality/support/purchases.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { clearFailures, failGateway, readProviderRecords, setWebhookMode } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

// American Express is a known card type that these tests do not accept. Diners Club is an unknown card type.
const world = useWorld({ env: { CARD_TYPES: 'visa,mc' } })
beforeEach(() => world().db.deleteFrom('rate_limits').execute())
beforeEach(() => setWebhookMode(world(), { mode: 'normal' }))
beforeEach(() => clearFailures(world()))

const notTaken = 'We can’t take this type of card. Please use Visa or Mastercard.'
const refused = { status: 400, body: { __all__: [`${notTaken} Nothing was charged.`] } }
const diners = (holder?: string) => world().card(holder, dinersCardNumber)

const orderFor = (email: string) =>
  world()
    .db.selectFrom('orders')
    .selectAll()
    .where('email', '=', email)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
const gatewayOf = async (email: string) =>
  (await readProviderRecords(world(), (await orderFor(email)).order_code)).gateway
const cardOf = async (userId: string) =>
  world().db.selectFrom('saved_cards').selectAll().where('user_id', '=', userId).executeTakeFirst()

describe('unsupported card types', () => {
  test('releases the reserved money before rejecting an activation because the card type is not accepted', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    const before = await traveller.look()
    const { status, body } = await traveller.pay({ card: diners() })
    expect({ status, body }).toEqual(refused)
    expect(await gatewayOf(traveller.email)).toMatchObject([{ authorised: 2200, captured: 0, cancelled: 2200 }])
    expect(await traveller.look()).toEqual(before)
    expect(await world().db.selectFrom('users').select('id').where('email', '=', traveller.email).execute()).toEqual([])

    expect((await traveller.pay()).status).toBe(200)
    await traveller.arriveAt('SUCCESSFUL')
    expect(await gatewayOf(traveller.email)).toMatchObject([{ authorised: 2200, captured: 2200, cancelled: 0 }])
  })

  test.each(['renewal', 'add-on'])(
    'rejects a %s because the card type is not accepted, and keeps the saved card',
    { tags: ['slow'] },
    async (what) => {
      const { visitor, service, email, id } = await makeSubscriber(world(), { card: true })
      const before = await cardOf(id)
      const press = what === 'renewal' ? renew : buyAddOn
      const { status, body } = await press(world(), visitor, service, { card: diners(), save: true })
      expect({ status, body }).toEqual(refused)
      const [line] = await gatewayOf(email)
      expect(line).toMatchObject({ captured: 0, cancelled: line?.authorised })
      expect(line?.authorised).toBeGreaterThan(0)
      expect(await cardOf(id)).toEqual(before)
      expect((await press(world(), visitor, service)).status).toBe(200)
    },
  )

  test('does not save a card whose type is not accepted', async () => {
    const { visitor, id } = await makeCustomer(world())
    const sent = { payment_method: '1', adyen_encrypted: diners() }
    const { status, body } = await visitor.post('/api/orders/update_payment/', sent, { 'idempotency-key': 'once' })
    expect({ status, body }).toEqual({ status: 400, body: { __all__: [notTaken] } })
    const again = await visitor.post('/api/orders/update_payment/', sent, { 'idempotency-key': 'once' })
    expect(again.body).toEqual(body)
    expect(await cardOf(id)).toBeUndefined()
    const updates = await world().db.selectFrom('card_updates').selectAll().where('user_id', '=', id).execute()
    expect(updates).toMatchObject([{ state: 'cancelled', failure: 'card_type', sealed_card: null, retry_at: null }])
  })

  test('tells the customer that the card type is not accepted only after the payment has been cancelled', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    await failGateway(world(), { operation: 'cancel', kind: 'error_500', times: 1000 })
    const { status, body } = await traveller.pay({ card: diners() })
    expect({ status, body }).toEqual({ status: 202, body: { order_code: expect.any(String), retry: true } })
    const attempt = await world()
      .db.selectFrom('payment_attempts')
      .select(['state', 'sealed_card'])
      .where('reference', '=', `${body.order_code}-1`)
      .executeTakeFirst()
    expect(attempt).toEqual({ state: 'cancelling', sealed_card: null })
    expect(await traveller.look()).toMatchObject({ state: 'PAYMENT', retry: true })

    await clearFailures(world())
    const told = await traveller.visitor.post(`/api/orders/${body.order_code}/resume/`)
    expect({ status: told.status, body: told.body }).toEqual(refused)
    expect(await gatewayOf(traveller.email)).toMatchObject([{ captured: 0, cancelled: 2200 }])
  })

  test(
    'responds with 202 while the gateway is slow to cancel a payment with an unsupported card type, and rejects it later',
    { tags: ['slow'] },
    async () => {
      const traveller = await advanceWizardTo(world(), 'PAYMENT')
      for (const operation of ['authorise', 'cancel'] as const)
        await failGateway(world(), { operation, kind: 'slow', delay_ms: 7_000 })
      const began = performance.now()
      const { status, body } = await traveller.pay({ card: diners() })
      expect({ status, body }).toEqual({ status: 202, body: { order_code: expect.any(String), retry: true } })
      expect(performance.now() - began).toBeLessThan(12_000)
      await pollUntil(async () => (await orderFor(traveller.email)).state === 'refused')
      const told = await traveller.visitor.post(`/api/orders/${body.order_code}/resume/`)
      expect({ status: told.status, body: told.body }).toEqual(refused)
      expect(await gatewayOf(traveller.email)).toMatchObject([{ authorised: 2200, captured: 0, cancelled: 2200 }])
    },
  )

  test('if the customer does not come back, a worker cancels the payment with an unsupported card type', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    await failGateway(world(), { operation: 'cancel', kind: 'lost_answer' })
    expect((await traveller.pay({ card: diners() })).status).toBe(202)
    await world()
      .db.updateTable('orders')
      .set({ retry_at: new Date(0) })
      .where('email', '=', traveller.email)
      .execute()
    await pollUntil(async () => (await orderFor(traveller.email)).state === 'refused')
    expect(await gatewayOf(traveller.email)).toMatchObject([{ captured: 0, cancelled: 2200 }])
  })

  test(
    'rejects an unsupported card type that only the authorisation notification reveals',
    { tags: ['slow'] },
    async () => {
      const traveller = await advanceWizardTo(world(), 'PAYMENT')
      expect((await traveller.pay({ card: diners('PENDING') })).status).toBe(202)
      await pollUntil(async () => (await orderFor(traveller.email)).state === 'refused')
      expect(await gatewayOf(traveller.email)).toMatchObject([{ authorised: 2200, captured: 0, cancelled: 2200 }])
    },
  )

  test('a payment with an unsupported card type counts towards the refused-payment limit, so nobody can test stolen cards', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    await traveller.pay({ card: diners() })
    const { order_code } = await orderFor(traveller.email)
    const counted = await world()
      .db.selectFrom('refused_payments')
      .select('refused_at')
      .where('reference', '=', `${order_code}-1`)
      .execute()
    expect(counted).toEqual([{ refused_at: expect.any(Date) }])
  })
})

test('our records match the gateway’s and the network’s after payments with unsupported card types, and no task was created', async () => {
  expect(await findFaultsWhenIdle(world())).toEqual([])
  expect(await world().db.selectFrom('operator_tasks').select('reason').execute()).toEqual([])
})
