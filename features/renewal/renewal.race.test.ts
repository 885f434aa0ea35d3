import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { toDate } from '#kit/server/clock.ts'
import { processDueDeadlines } from '#features/services/server/plan-life.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { type Customer, type CustomerService, logInAs, makeCustomer } from '#quality/support/customer.ts'
import { setOrderRetryTime } from '#quality/support/lost-response.ts'
import { buyAddOn, type PaymentOptions, renew as press, resumeOrder } from '#quality/support/purchases.ts'
import type { Service } from '#features/services/services.contract.ts'
import {
  clearFailures,
  failGateway,
  readProviderRecords,
  readNetworkActions,
  setWebhookMode,
} from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Answer } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld({ env: { LEASE_SECONDS: '1' } })
beforeEach(() => setWebhookMode(world(), { mode: 'normal' }))

type Someone = Customer & { service: CustomerService }
async function someone(wishes: Parameters<typeof makeCustomer>[1] = {}): Promise<Someone> {
  const customer = await makeCustomer(world(), { services: 1, ...wishes })
  const [service] = customer.services
  if (!service) throw new Error('a service was asked for')
  return { ...customer, service }
}

const renew = ({ visitor, service }: Someone, paying?: PaymentOptions) => press(world(), visitor, service, paying)
const buy = ({ visitor, service }: Someone, paying?: PaymentOptions) => buyAddOn(world(), visitor, service, paying)
const twenty = (act: (n: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: 20 }, (_, n) => act(n)))
const boughtBy = async ({ service }: Someone, kind: 'recharge' | 'addon') =>
  await world()
    .db.selectFrom('orders')
    .select(['order_code', 'state'])
    .where('service_id', '=', service.id)
    .where('kind', '=', kind)
    .execute()

async function expectOne(customer: Someone, kind: 'recharge' | 'addon', amount: number): Promise<string> {
  await pollUntil(async () => (await boughtBy(customer, kind)).every(({ state }) => state === 'completed'))
  const [order, ...more] = await boughtBy(customer, kind)
  expect(more).toEqual([])
  const code = order?.order_code ?? ''
  expect((await readProviderRecords(world(), code)).gateway).toMatchObject([
    { authorised: amount, captured: amount, cancelled: 0 },
  ])
  expect(await readNetworkActions(world(), code)).toEqual([
    kind === 'addon' ? 'add_addon completed' : 'add_plan completed',
  ])
  return code
}

const tally = (answers: Answer[]): Record<string, number> => {
  const said = answers.map(({ status, body }) => (status === 400 ? `400 ${body.__all__?.[0]}` : String(status)))
  return Object.fromEntries([...Map.groupBy(said, (each) => each)].map(([each, all]) => [each, all.length]))
}
/**
 * `loseAnswers` keeps the first payment undecided until every request has been sent; `hearAnswers` then lets its order
 * continue.
 */
const loseAnswers = () => failGateway(world(), { operation: 'authorise', kind: 'lost_answer', times: 1000 })
async function hearAnswers(orderCode: string): Promise<void> {
  await setOrderRetryTime(world(), 1, orderCode)
  await clearFailures(world())
}
const underWay = '400 A renewal of this Prepay Plan is already under way.'

describe('twenty concurrent requests for the same renewal', () => {
  test('twenty concurrent renewals that share an idempotency key buy one plan and get the same answer', async () => {
    const customer = await someone({ card: true })
    const answers = await twenty(() => renew(customer, { saved: true, key: 'one' }))
    const code = await expectOne(customer, 'recharge', 3600)
    expect(tally(answers)).toEqual({ 200: 20 })
    expect([...new Set(answers.map(({ body }) => body.order_code))]).toEqual([code])
  })

  test('twenty concurrent renewals from two devices that share an idempotency key buy one plan', async () => {
    const customer = await someone({ card: true })
    const other = { ...customer, visitor: await logInAs(world(), customer) }
    const answers = await twenty((n) => renew(n % 2 === 0 ? customer : other, { saved: true, key: 'one' }))
    await expectOne(customer, 'recharge', 3600)
    expect(tally(answers)).toEqual({ 200: 20 })
  })

  test.each([
    ['with different idempotency keys', () => crypto.randomUUID()],
    ['without an idempotency key', () => null],
  ])(
    'of twenty concurrent renewals %s, one buys a plan and the others are rejected as already in progress',
    async (_how, key) => {
      const customer = await someone()
      await setWebhookMode(world(), { mode: 'hold' })
      await loseAnswers()
      const answers = await twenty(() => renew(customer, { key: key() }))
      const { 202: inDoubt, 200: done, [underWay]: others } = { 202: 0, 200: 0, [underWay]: 0, ...tally(answers) }
      expect(inDoubt + done).toBe(1)
      expect(others).toBe(19)
      const code = answers.find(({ status }) => status < 300)?.body.order_code
      await hearAnswers(code)
      expect((await resumeOrder(customer.visitor, code)).status).toBe(200)
      await setWebhookMode(world(), { mode: 'normal', release: true })
      expect(await expectOne(customer, 'recharge', 3600)).toBe(code)
    },
  )

  test('twenty concurrent attempts to repeat or resume an undecided renewal charge it only once', async () => {
    const customer = await someone()
    const { body } = await renew(customer, { holder: 'TIMEOUT', key: 'one' })
    await twenty((n) =>
      n % 2 === 0 ? resumeOrder(customer.visitor, body.order_code) : renew(customer, { key: 'one' }),
    )
    expect((await resumeOrder(customer.visitor, body.order_code)).status).toBe(200)
    expect(await expectOne(customer, 'recharge', 3600)).toBe(body.order_code)
  })

  test("after concurrent renewals by card and by voucher, our records match the gateway's and the network's", async () => {
    const customer = await someone({ card: true })
    const voucher = await world().newVoucher('plan-30-15gb')
    await Promise.all([
      renew(customer, { saved: true }),
      renew(customer, { voucher }),
      renew(customer, { voucher, key: null }),
    ])
    await pollUntil(async () => (await boughtBy(customer, 'recharge')).every(({ state }) => state === 'completed'))
    expect(await findFaultsWhenIdle(world())).toEqual([])
  })
})

test('when two services are renewed at once with the same voucher, only one of them is renewed', async () => {
  const customer = await someone({ services: 2 })
  const voucher = await world().newVoucher()
  const answers = await Promise.all(
    customer.services.flatMap((service) =>
      [1, 2, 3].map(() => press(world(), customer.visitor, service, { voucher, key: service.id })),
    ),
  )
  const codes = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.order_code))
  expect(codes.size).toBe(1)
  expect(answers.filter(({ status }) => status !== 200).map(({ body }) => body.__all__)).toEqual(
    Array.from({ length: 3 }, () => ['This voucher has already been used.']),
  )
})

describe('twenty concurrent requests for the same add-on', () => {
  test('twenty concurrent purchases that share an idempotency key buy one add-on and get the same answer', async () => {
    const customer = await someone({ card: true })
    const answers = await twenty(() => buy(customer, { saved: true, key: 'one' }))
    const code = await expectOne(customer, 'addon', 1000)
    expect(tally(answers)).toEqual({ 200: 20 })
    expect([...new Set(answers.map(({ body }) => body.order_code))]).toEqual([code])
  })

  test('repeated concurrent purchases of an add-on and a renewal buy exactly one of each', async () => {
    const customer = await someone({ card: true })
    await twenty((n) =>
      n % 2 === 0 ? buy(customer, { saved: true, key: 'addon' }) : renew(customer, { saved: true, key: 'plan' }),
    )
    await expectOne(customer, 'addon', 1000)
    await expectOne(customer, 'recharge', 3600)
  })
})

describe('concurrent purchases of the next plan', () => {
  const planOf = async ({ visitor, service }: Someone) =>
    (await visitor.get('/api/services/')).body[service.id] as Service
  const nextOf = async (customer: Someone) =>
    Object.values((await planOf(customer)).schedules).map((schedule) => schedule.next_plan)[0] ?? null
  const taken = (answers: Answer[]) => answers.filter(({ status }) => status < 300)

  test("twenty concurrent renewals, some starting now and some at the plan's end, buy one plan", async () => {
    const customer = await someone()
    await setWebhookMode(world(), { mode: 'hold' })
    await loseAnswers()
    const answers = await twenty((n) => renew(customer, { body: { starts: n % 2 === 0 ? 'at_end' : 'now' } }))
    const { 202: inDoubt, 200: done, [underWay]: others } = { 202: 0, 200: 0, [underWay]: 0, ...tally(answers) }
    expect([inDoubt + done, others]).toEqual([1, 19])
    const code = answers.find(({ status }) => status < 300)?.body.order_code
    await hearAnswers(code)
    expect((await resumeOrder(customer.visitor, code)).status).toBe(200)
    await setWebhookMode(world(), { mode: 'normal', release: true })
    expect(await expectOne(customer, 'recharge', 3600)).toBe(code)
    const { starts_at: later } = await world()
      .db.selectFrom('orders')
      .select('starts_at')
      .where('order_code', '=', code)
      .executeTakeFirstOrThrow()
    expect((await nextOf(customer)) !== null).toBe(later !== null)
  })

  test('twenty concurrent renewals from pages that show the same end date for the plan buy only one plan', async () => {
    const customer = await someone({ card: true })
    const { expiry_date } = await planOf(customer)
    const answers = await twenty((n) =>
      renew(customer, { saved: true, body: { starts: n % 2 === 0 ? 'at_end' : 'now', expiry_date } }),
    )
    expect(taken(answers)).toHaveLength(1)
    await expectOne(customer, 'recharge', 3600)
  })

  test('concurrent renewals by card and by vouchers buy one plan, and unused vouchers stay valid', async () => {
    const customer = await someone({ card: true })
    const vouchers = await Promise.all([1, 2, 3].map(() => world().newVoucher('plan-30-15gb')))
    const body = { starts: 'at_end' }
    const answers = await Promise.all([
      renew(customer, { saved: true, body }),
      ...vouchers.map((voucher) => renew(customer, { voucher, body })),
    ])
    expect(taken(answers)).toHaveLength(1)
    await pollUntil(async () => (await boughtBy(customer, 'recharge')).every(({ state }) => state === 'completed'))
    expect(await boughtBy(customer, 'recharge')).toHaveLength(1)
    const good = await Promise.all(
      vouchers.map(async (code) => (await world().visitor().get(`/api/vouchers/${code}/`)).status === 200),
    )
    expect(good.filter(Boolean)).toHaveLength((answers[0]?.status ?? 400) < 300 ? 3 : 2)
  })

  async function atItsEnd({ service }: Someone, inMs: number): Promise<Temporal.Instant> {
    const end = world().deps.clock.now().add({ milliseconds: inMs })
    await world()
      .db.updateTable('schedules')
      .set({ expires_at: toDate(end) })
      .where('service_id', '=', service.id)
      .execute()
    await world()
      .db.updateTable('service_deadlines')
      .set({ due_at: toDate(end) })
      .where('service_id', '=', service.id)
      .where('kind', '=', 'expiry')
      .execute()
    return end
  }

  test.each([0, 40, 150, 400, 900])(
    "a renewal that starts at the plan's end begins once when it is sent %i ms before that end",
    async (ahead) => {
      const customer = await someone({ plan: 'plan-7-500mb', card: true })
      const end = await atItsEnd(customer, ahead)
      const sweep = () => pause(ahead).then(() => processDueDeadlines(world().deps, end))
      const [answer] = await Promise.all([
        renew(customer, { saved: true, product: 'plan-90-5gb', body: { starts: 'at_end' } }),
        sweep(),
        sweep(),
        sweep(),
      ])
      expect(answer.status).toBe(200)
      await pollUntil(async () => (await boughtBy(customer, 'recharge')).every(({ state }) => state === 'completed'))
      await processDueDeadlines(world().deps, end)
      const schedule = await world()
        .db.selectFrom('schedules')
        .innerJoin('orders', 'orders.id', 'schedules.order_id')
        .select(['orders.order_code', 'schedules.product_id'])
        .where('schedules.service_id', '=', customer.service.id)
        .executeTakeFirstOrThrow()
      expect(schedule).toEqual({ order_code: answer.body.order_code, product_id: 'plan-90-5gb' })
      expect(await nextOf(customer)).toBeNull()
      expect(await planOf(customer)).toMatchObject({ is_expired: false })
      await expectOne(customer, 'recharge', 5610)
    },
  )
})

describe('renewing a service just before its number is released', () => {
  async function onItsLastDay({ service }: Someone): Promise<Temporal.Instant> {
    const day = world().deps.clock.now().add({ seconds: 1 })
    const ended = { expires_at: toDate(day.subtract({ hours: 50 * 24 })) }
    await world().db.updateTable('schedules').set(ended).where('service_id', '=', service.id).execute()
    const ofService = world().db.updateTable('service_deadlines').where('service_id', '=', service.id)
    await world()
      .db.deleteFrom('service_deadlines')
      .where('service_id', '=', service.id)
      .where('kind', '!=', 'release')
      .execute()
    await ofService.set({ due_at: toDate(day) }).execute()
    return day
  }

  test.each([0, 5, 15, 60])(
    'a renewal sent %i ms before the number is released either succeeds or gets a 404',
    async (ahead) => {
      const customer = await someone({ plan: 'plan-7-500mb', card: true })
      const day = await onItsLastDay(customer)
      const release = () => pause(ahead).then(() => processDueDeadlines(world().deps, day))
      const [answer] = await Promise.all([
        renew(customer, { saved: true, product: 'plan-90-5gb' }),
        release(),
        release(),
        release(),
      ])
      const listed = (await customer.visitor.get('/api/services/')).body[customer.service.id]
      expect({ status: answer.status, isListed: Boolean(listed) }).toEqual(
        answer.status === 200 ? { status: 200, isListed: true } : { status: 404, isListed: false },
      )
    },
  )
})

test("our records match the gateway's and the network's after concurrent renewals", async () =>
  expect(await findFaultsWhenIdle(world())).toEqual([]))
