import { beforeEach, describe, expect, test } from 'vitest'
import { realNow } from '#kit/server/clock.ts'
import { sealCard } from '#quality/support/cards.ts'
import { advanceWizardTo, type WizardVisitor } from '#quality/support/activation-journey.ts'
import { loseResponseTo, setOrderRetryTime } from '#quality/support/lost-response.ts'
import { clearFailures, failGateway, readProviderRecords, setWebhookMode } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
beforeEach(() => setWebhookMode(world(), { mode: 'normal' }))
beforeEach(() => clearFailures(world()))

const declined = 'Your bank declined this payment. Nothing was charged. Try another card or call your bank.'
const unreadable = 'Please check your payment details and try again'
const notConfirmed =
  'Your payment could not be confirmed, so we cancelled it. You have not been charged. Please try again.'

const orderOf = (orderCode: string) =>
  world().db.selectFrom('orders').selectAll().where('order_code', '=', orderCode).executeTakeFirstOrThrow()
const simOf = ({ sim }: WizardVisitor) =>
  world().db.selectFrom('sim_packs').selectAll().where('iccid', '=', sim.iccid).executeTakeFirstOrThrow()
const accountsOf = ({ email }: WizardVisitor) =>
  world().db.selectFrom('users').selectAll().where('email', '=', email).execute()
const resume = ({ visitor }: WizardVisitor, orderCode: string) => visitor.post(`/api/orders/${orderCode}/resume/`)

async function letTimeRunOut(orderCode: string): Promise<void> {
  const { id } = await orderOf(orderCode)
  await world()
    .db.updateTable('payment_attempts')
    .set({ resolve_by: new Date(Date.now() - 1_000) })
    .where('order_id', '=', id)
    .execute()
  await setOrderRetryTime(world(), -1, orderCode)
}

describe('payments with a card that is refused', () => {
  test.each(['DECLINED', 'NOT_ENOUGH_BALANCE', 'CARD_EXPIRED', 'ISSUER_UNAVAILABLE', 'ERROR'])(
    'a card refused with %s leaves no order behind, and the message does not say why',
    async (holder) => {
      const traveller = await advanceWizardTo(world(), 'PAYMENT')
      const before = await traveller.look()
      const { status, body } = await traveller.pay({ holder })
      expect({ status, body }).toEqual({ status: 400, body: { __all__: [declined] } })
      expect(await traveller.look()).toEqual(before)
      expect((await simOf(traveller)).order_id).toBeNull()
      expect(await accountsOf(traveller)).toEqual([])
    },
  )

  test('after a card is refused, a different card can pay, and only that card is charged', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    await traveller.pay({ holder: 'DECLINED' })
    expect(await traveller.pay()).toMatchObject({ status: 200, body: { state: 'ACTIVATING' } })
    await traveller.arriveAt('SUCCESSFUL')
    const orders = await world()
      .db.selectFrom('orders')
      .selectAll()
      .where('email', '=', traveller.email)
      .orderBy('created_at')
      .execute()
    expect(orders.map(({ state }) => state)).toEqual(['refused', 'completed'])
    const [refused, good] = await Promise.all(orders.map(({ order_code }) => readProviderRecords(world(), order_code)))
    expect(refused).toMatchObject({ gateway: [{ authorised: 0, captured: 0 }], network: [] })
    expect(good).toMatchObject({ gateway: [{ authorised: 2200, captured: 2200 }] })
  })

  test('a repeated payment request with the same idempotency key is refused again, even with a different card', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    const answers = [await traveller.pay({ holder: 'DECLINED', key: 'k' }), await traveller.pay({ key: 'k' })]
    for (const { status, body } of answers)
      expect({ status, body }).toEqual({ status: 400, body: { __all__: [declined] } })
    expect((await traveller.look()).order_code).toBeNull()
  })
})

describe('cards that the gateway cannot read', () => {
  const other = '10001|b3f1c0de'.padEnd(518, '5')
  test.each([
    ['none', () => undefined],
    ['empty', () => ''],
    ['nonsense', () => 'adyenjs_0_1_18$nonsense'],
    ['of another key', () => sealCard(other, world().deps.clock.now(), 'Ana Rewi')],
    ['tampered with', () => world().card().replace(/.{8}$/, 'AAAAAAA=')],
  ])('an unreadable card (%s) leaves no order behind', { tags: ['slow'] }, async (_what, card) => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    const { status, body } = await traveller.visitor.post('/api/activate/pay/', {
      payment_method: '1',
      adyen_encrypted: card(),
    })
    expect({ status, body }).toEqual({ status: 400, body: { __all__: [unreadable] } })
    expect(await traveller.look()).toMatchObject({ state: 'PAYMENT', order_code: null, retry: false })
    expect((await simOf(traveller)).order_id).toBeNull()
    // The gateway can read the next card, so our key is right and the unreadable card was the sender's fault.
    expect((await traveller.pay()).status).toBe(200)
  })

  test('rejects an encrypted card longer than 8,000 characters', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    expect(await traveller.pay({ card: 'a'.repeat(8_001) })).toMatchObject({
      status: 400,
      body: { adyen_encrypted: [expect.any(String)] },
    })
  })
})

describe('payments whose response is lost', () => {
  async function inDoubt(): Promise<WizardVisitor & { orderCode: string }> {
    // Hold notifications back, because one would report the outcome before the test reads the undecided order.
    await setWebhookMode(world(), { mode: 'hold' })
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    const { status, body } = await loseResponseTo(world(), () => traveller.pay())
    expect({ status, body }).toEqual({
      status: 202,
      body: { order_code: expect.stringMatching(/^FT[\dA-Z]{10}$/), retry: true },
    })
    return { ...traveller, orderCode: body.order_code }
  }

  test('while a payment is undecided, the checkout says so, every step is blocked and no account exists', async () => {
    const traveller = await inDoubt()
    expect(await traveller.look()).toMatchObject({
      state: 'PAYMENT',
      activation_state: 'NOT_STARTED',
      order_code: traveller.orderCode,
      retry: true,
    })
    const steps = {
      sim: { ...(await world().newSim()), setup_porting: false },
      signup: { full_name: 'Mere Tane', email: traveller.email, password: 'korimako1' },
      method: { method: 'payment' },
      plan: { plan: 'plan-7-500mb' },
      pay: { payment_method: '1', adyen_encrypted: world().card() },
    }
    for (const [step, body] of Object.entries(steps)) {
      expect(await traveller.visitor.post(`/api/activate/${step}/`, body)).toMatchObject({
        status: 409,
        body: { __all__: ['Your payment is being processed. Please wait a moment.'] },
      })
    }
    expect(await accountsOf(traveller)).toEqual([])
  })

  test('resuming an undecided payment determines its outcome, and the customer is charged only once', async () => {
    const traveller = await inDoubt()
    const { status, body } = await resume(traveller, traveller.orderCode)
    expect({ status, body }).toEqual({ status: 200, body: { order_code: traveller.orderCode } })
    await traveller.arriveAt('SUCCESSFUL')
    expect((await readProviderRecords(world(), traveller.orderCode)).gateway).toMatchObject([
      { authorised: 2200, captured: 2200, cancelled: 0 },
    ])
    expect(await resume(traveller, traveller.orderCode)).toMatchObject({
      status: 200,
      body: { order_code: traveller.orderCode },
    })
  })

  test('a payment request with a repeated idempotency key creates neither a second order nor a second charge', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    const first = await loseResponseTo(world(), () => traveller.pay({ key: 'mine' }))
    expect(await traveller.pay({ key: 'mine' })).toMatchObject({ status: 202, body: first.body })
    await setOrderRetryTime(world(), -1, first.body.order_code)
    await traveller.arriveAt('SUCCESSFUL')
    expect((await traveller.pay({ key: 'mine' })).body).toMatchObject({
      state: 'SUCCESSFUL',
      order_code: first.body.order_code,
    })
    expect((await readProviderRecords(world(), first.body.order_code)).gateway).toMatchObject([{ captured: 2200 }])
  })

  test('if the customer does not come back, a worker finds out the payment’s outcome', async () => {
    const { arriveAt, orderCode } = await inDoubt()
    await setOrderRetryTime(world(), -1, orderCode)
    expect(await arriveAt('SUCCESSFUL')).toMatchObject({ order_code: orderCode, retry: false })
  })

  test('responds with 404 when a different visitor tries to resume the payment', async () => {
    const { orderCode } = await inDoubt()
    for (const code of [orderCode, 'FT0000000000', orderCode.toLowerCase()]) {
      expect(await world().visitor().post(`/api/orders/${code}/resume/`)).toMatchObject({
        status: 404,
        body: { code: 'Not found.' },
      })
    }
  })

  test('the stored encrypted card is deleted once the payment’s outcome is known', async () => {
    const traveller = await inDoubt()
    const { id } = await orderOf(traveller.orderCode)
    const sealed = () =>
      world().db.selectFrom('payment_attempts').select('sealed_card').where('order_id', '=', id).executeTakeFirst()
    expect((await sealed())?.sealed_card).toMatch(/^[\w+/=]{100,}$/)
    await resume(traveller, traveller.orderCode)
    expect(await sealed()).toEqual({ sealed_card: null })
  })
})

describe('payments that the bank decides later', () => {
  test('if the bank authorises a payment later, the notification completes it', { tags: ['slow'] }, async () => {
    await setWebhookMode(world(), { mode: 'hold' })
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    const paid = await traveller.pay({ holder: 'PENDING' })
    expect(paid.status).toBe(202)
    expect((await resume(traveller, paid.body.order_code)).status).toBe(202)
    await setWebhookMode(world(), { mode: 'normal', release: true })
    expect(await traveller.arriveAt('SUCCESSFUL')).toMatchObject({ order_code: paid.body.order_code })
    expect((await readProviderRecords(world(), paid.body.order_code)).gateway).toMatchObject([
      { authorised: 2200, captured: 2200 },
    ])
  })

  test(
    'if the bank refuses a payment later, the notification ends the payment and the SIM can be used again',
    { tags: ['slow'] },
    async () => {
      const traveller = await advanceWizardTo(world(), 'PAYMENT')
      const { body } = await traveller.pay({ holder: 'PENDING_DECLINED' })
      await pollUntil(async () => !(await traveller.look()).retry)
      expect(await traveller.look()).toMatchObject({ state: 'PAYMENT', order_code: null })
      expect(await resume(traveller, body.order_code)).toMatchObject({ status: 400, body: { __all__: [declined] } })
      expect((await simOf(traveller)).order_id).toBeNull()
    },
  )
})

describe('payments while the gateway is down', () => {
  test.each(['error_500', 'lost_request', 'lost_answer'] as const)(
    'a payment that gets no response (%s) is cancelled by its reference once its deadline has passed',
    { tags: ['slow'] },
    async (kind) => {
      const traveller = await advanceWizardTo(world(), 'PAYMENT')
      await failGateway(world(), { operation: 'authorise', kind, times: 1000 })
      const { status, body } = await traveller.pay()
      expect(status).toBe(202)
      await letTimeRunOut(body.order_code)
      await pollUntil(async () => !(await traveller.look()).retry)
      expect(await traveller.look()).toMatchObject({ state: 'PAYMENT', order_code: null })
      expect(await resume(traveller, body.order_code)).toMatchObject({ status: 400, body: { __all__: [notConfirmed] } })
      for (const line of (await readProviderRecords(world(), body.order_code)).gateway)
        expect(line.authorised - line.cancelled).toBe(0)
      expect((await simOf(traveller)).order_id).toBeNull()
      await clearFailures(world())
      expect((await traveller.pay()).status).toBe(200)
    },
  )

  test('cancelling an undecided payment is repeated until the gateway responds', { tags: ['slow'] }, async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    await failGateway(world(), { operation: 'authorise', kind: 'error_500', times: 1000 })
    const { body } = await traveller.pay()
    await failGateway(world(), {
      operation: 'technicalCancel',
      kind: 'error_500',
      reference: `${body.order_code}-1`,
      times: 1000,
    })
    const { tries } = await orderOf(body.order_code)
    await letTimeRunOut(body.order_code)
    await pollUntil(async () => (await orderOf(body.order_code)).tries > tries)
    expect(await traveller.look()).toMatchObject({ state: 'PAYMENT', retry: true })
    await clearFailures(world())
    await setOrderRetryTime(world(), -1, body.order_code)
    await pollUntil(async () => !(await traveller.look()).retry)
  })
})

test('an undecided payment is retried within 10 seconds and abandoned after at most 90 seconds', async () => {
  const traveller = await advanceWizardTo(world(), 'PAYMENT')
  const { body } = await traveller.pay({ holder: 'HELD' })
  const { id } = await orderOf(body.order_code)
  const attempt = await world()
    .db.selectFrom('payment_attempts')
    .selectAll()
    .where('order_id', '=', id)
    .executeTakeFirstOrThrow()
  const seconds = (attempt.resolve_by.getTime() - attempt.created_at.getTime()) / 1_000
  expect(seconds).toBeLessThanOrEqual(90)
  const { retry_at } = await orderOf(body.order_code)
  // Real time comes from the database, whose clock differs from the host's by a few milliseconds.
  expect((retry_at?.getTime() ?? Infinity) - realNow().epochMilliseconds).toBeLessThanOrEqual(10_000)
})
