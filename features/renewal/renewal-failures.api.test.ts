import { beforeEach, describe, expect, test } from 'vitest'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { hidePaymentReference } from '#quality/support/hide-payment-reference.ts'
import { logInAs, makeSubscriber, type Subscriber } from '#quality/support/customer.ts'
import { loseResponseTo } from '#quality/support/lost-response.ts'
import { endOf, type PaymentOptions, renew as press, resumeOrder } from '#quality/support/purchases.ts'
import {
  clearFailures,
  clearSimulatorFailures,
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
const renew = ({ visitor, service }: Subscriber, paying?: PaymentOptions) => press(world(), visitor, service, paying)
const renewalsOf = ({ service }: Subscriber) =>
  world()
    .db.selectFrom('orders')
    .selectAll()
    .where('service_id', '=', service.id)
    .where('kind', '=', 'recharge')
    .orderBy('created_at')
    .execute()
const scheduleOf = ({ service }: Subscriber) =>
  world().db.selectFrom('schedules').selectAll().where('service_id', '=', service.id).executeTakeFirstOrThrow()
const refused = (sentence: string) => ({ status: 400, body: { __all__: [sentence] } })

describe('renewals with a declined card', () => {
  test('a renewal with a declined card changes nothing, reports only the refusal, and can be repeated with a different card', async () => {
    const customer = await someone()
    const before = await scheduleOf(customer)
    const { status, body } = await renew(customer, { holder: 'NOT_ENOUGH_BALANCE' })
    expect({ status, body }).toEqual(
      refused('Your bank declined this payment. Nothing was charged. Try another card or call your bank.'),
    )
    expect(await scheduleOf(customer)).toEqual(before)
    expect(
      await world().db.selectFrom('saved_cards').selectAll().where('user_id', '=', customer.id).executeTakeFirst(),
    ).toBeUndefined()
    expect(
      await world()
        .db.selectFrom('service_deadlines')
        .select('kind')
        .where('service_id', '=', customer.service.id)
        .execute(),
    ).toContainEqual({ kind: 'release' })
    expect((await renew(customer)).status).toBe(200)
    await expect
      .poll(async () => (await renewalsOf(customer)).map(({ state }) => state))
      .toEqual(['refused', 'completed'])
  })

  test("repeating a declined renewal's idempotency key returns the same answer without a second request to the gateway", async () => {
    const customer = await someone()
    for (const holder of ['DECLINED', 'Ana Rewi'])
      expect(await renew(customer, { holder, key: 'mine' })).toMatchObject({
        status: 400,
        body: { __all__: [expect.stringContaining('Your bank declined this payment.')] },
      })
    expect(await renewalsOf(customer)).toHaveLength(1)
  })
})

describe('renewals whose payment response is lost', () => {
  test("answers 202 if a renewal's payment response is lost, and charges once when the customer resumes the renewal", async () => {
    await setWebhookMode(world(), { mode: 'hold' })
    const customer = await someone()
    const first = await loseResponseTo(world(), () => renew(customer, { key: 'mine' }))
    expect(first).toMatchObject({ status: 202, body: { order_code: expect.any(String), retry: true } })
    const code = first.body.order_code
    expect(await renew(customer, { key: 'another' })).toMatchObject(
      refused('A renewal of this Prepay Plan is already under way.'),
    )
    const resumed = await resumeOrder(customer.visitor, code)
    expect({ status: resumed.status, body: resumed.body }).toEqual({ status: 200, body: { order_code: code } })
    expect(await renew(customer, { key: 'mine' })).toMatchObject({ status: 200, body: { order_code: code } })
    expect((await readProviderRecords(world(), code)).gateway).toMatchObject([{ authorised: 3600, captured: 3600 }])
    expect(await renewalsOf(customer)).toHaveLength(1)
    await setWebhookMode(world(), { mode: 'normal', release: true })
  })

  test('answers 404 if anyone but the customer who started a renewal tries to resume it', async () => {
    const [customer, other] = [await someone(), await someone()]
    const { body } = await renew(customer, { holder: 'TIMEOUT' })
    for (const visitor of [other.visitor, world().visitor()])
      expect(await resumeOrder(visitor, body.order_code)).toMatchObject({ status: 404, body: { code: 'Not found.' } })
    expect((await resumeOrder(customer.visitor, body.order_code)).status).toBe(200)
  })

  test('does not charge a renewal twice if the customer logs in again and repeats the idempotency key', async () => {
    const customer = await someone()
    const { body } = await renew(customer, { key: 'kept' })
    const again = { ...customer, visitor: await logInAs(world(), customer) }
    expect(await renew(again, { key: 'kept' })).toMatchObject({ status: 200, body })
    expect(await renewalsOf(customer)).toHaveLength(1)
  })

  test("answers 409 if a renewal's idempotency key is used for a different service", { tags: ['slow'] }, async () => {
    const customer = await someone({ services: 2 })
    const [, second] = customer.services
    await renew(customer, { key: 'one' })
    expect((await press(world(), customer.visitor, second!, { key: 'one' })).status).toBe(409)
  })
})

describe('renewals that fail at the network', () => {
  test(
    'a renewal that fails temporarily at the network is ordered again, and the customer is charged once',
    { tags: ['slow'] },
    async () => {
      const customer = await someone()
      await failNetwork(world(), { operation: 'add_plan', kind: 'fail_retryable', times: 2 })
      const { status, body } = await renew(customer)
      expect(status).toBe(200)
      expect(await readNetworkActions(world(), body.order_code)).toEqual([
        'add_plan failed',
        'add_plan failed',
        'add_plan completed',
      ])
      expect((await readProviderRecords(world(), body.order_code)).gateway).toMatchObject([
        { authorised: 3600, captured: 3600 },
      ])
    },
  )

  test.each([
    ['three temporary failures', { operation: 'add_plan', kind: 'fail_retryable', times: 3 }, 3],
    ['a permanent failure', { operation: 'add_plan', kind: 'fail_permanent' }, 1],
  ] as const)(
    'after %s at the network, a renewal is reversed: the old plan stays and nothing is charged',
    { tags: ['slow'] },
    async (_when, failure, orders) => {
      const customer = await someone()
      const before = await scheduleOf(customer)
      await failNetwork(world(), failure)
      const { status, body } = await renew(customer)
      expect({ status, body }).toEqual(
        refused('The network could not add your Prepay Plan. You have not been charged. Please try again.'),
      )
      const [order] = await renewalsOf(customer)
      expect(order?.state).toBe('undone')
      expect(await readNetworkActions(world(), order?.order_code ?? '')).toEqual(
        Array.from({ length: orders }, () => 'add_plan failed'),
      )
      expect((await readProviderRecords(world(), order?.order_code ?? '')).gateway).toMatchObject([
        { authorised: 3600, captured: 0, cancelled: 3600 },
      ])
      expect(await scheduleOf(customer)).toEqual(before)
      expect((await renew(customer)).status).toBe(200)
    },
  )

  test.each(['error_500', 'lost_answer'] as const)(
    'a renewal whose request to the network fails (%s) is retried and adds the plan once',
    { tags: ['slow'] },
    async (kind) => {
      const customer = await someone()
      await failNetwork(world(), { operation: 'add_plan', kind, times: 2 })
      const { body } = await renew(customer)
      expect(await readNetworkActions(world(), body.order_code)).toEqual(['add_plan completed'])
    },
  )

  test(
    'removes a renewed plan from the network if the capture is refused, so that no unpaid plan stays active',
    { tags: ['slow'] },
    async () => {
      const customer = await someone()
      /*
       * The network failure holds up the order while the test replaces the payment's gateway reference, so that the
       * gateway refuses the capture.
       */
      await failNetwork(world(), { operation: 'add_plan', kind: 'error_500', times: 1000 })
      const answer = renew(customer)
      const { order_code: orderCode } = await pollUntil(async () => (await renewalsOf(customer))[0])
      const restoreReference = await hidePaymentReference(world(), `${orderCode}-1`)
      // Make cancellations fail before the network recovers, or the payment would be cancelled at once.
      await failGateway(world(), { operation: 'cancel', kind: 'error_500', times: 1000 })
      await clearSimulatorFailures(world(), 'networkUrl')
      await failNetwork(world(), { operation: 'remove_plan', kind: 'fail_retryable' })
      await pollUntil(async () => (await readNetworkActions(world(), orderCode)).includes('remove_plan completed'))
      await restoreReference()
      await clearFailures(world())
      const { status, body } = await endOf(customer.visitor, answer)
      expect({ status, body }).toEqual(
        refused(
          'Your payment could not be confirmed, so we cancelled it. You have not been charged. Please try again.',
        ),
      )
      expect(await readNetworkActions(world(), orderCode)).toEqual([
        'add_plan completed',
        'remove_plan failed',
        'remove_plan completed',
      ])
      expect((await readProviderRecords(world(), orderCode)).gateway).toMatchObject([
        { authorised: 3600, captured: 0, cancelled: 3600 },
      ])
    },
  )

  test('a renewal gets a 202 until the network has completed it, and can be resumed', { tags: ['slow'] }, async () => {
    const customer = await someone()
    await failNetwork(world(), { operation: 'add_plan', kind: 'error_500', times: 1000 })
    const answer = renew(customer)
    const { id } = await pollUntil(async () =>
      (await renewalsOf(customer)).find(({ state, tries }) => state === 'adding_plan' && tries > 0),
    )
    const wakeIn = (hours: number) =>
      world()
        .db.updateTable('orders')
        .set({ retry_at: new Date(Date.now() + hours * 3_600_000) })
        .where('id', '=', id)
        .execute()
    await wakeIn(1)
    const { status, body } = await answer
    expect({ status, body }).toEqual({ status: 202, body: { order_code: expect.any(String), retry: true } })
    await clearFailures(world())
    const resumed = resumeOrder(customer.visitor, body.order_code)
    await wakeIn(-1)
    expect(await resumed).toMatchObject({ status: 200, body: { order_code: body.order_code } })
  })

  test("a renewal is captured once if the gateway's response to the capture is lost", { tags: ['slow'] }, async () => {
    const customer = await someone()
    await failGateway(world(), { operation: 'capture', kind: 'lost_answer' })
    const { status, body } = await renew(customer)
    expect(status).toBe(200)
    expect((await readProviderRecords(world(), body.order_code)).gateway).toMatchObject([{ captured: 3600 }])
  })
})

test('a customer who tries more than 20 renewals in a row gets a 429', { tags: ['slow'] }, async () => {
  const customer = await someone()
  const answers = []
  for (let count = 0; count < 21; count++) {
    answers.push((await renew(customer, { holder: 'DECLINED' })).status)
    // Refused payments have a lower limit of their own, which this test must not hit first.
    await world().db.deleteFrom('refused_payments').execute()
  }
  expect(answers).toEqual([...Array.from({ length: 20 }, () => 400), 429])
  expect(await renewalsOf(customer)).toHaveLength(20)
})

test("our records match the gateway's and the network's after failed renewals", async () =>
  expect(await findFaultsWhenIdle(world())).toEqual([]))
