import { beforeEach, describe, expect, test } from 'vitest'
import { makeCustomer } from '#quality/support/customer.ts'
import { advanceWizardTo, type WizardVisitor } from '#quality/support/activation-journey.ts'
import { buyAddOn, renew, resumeOrder } from '#quality/support/purchases.ts'
import { clearFailures, failGateway } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newVisitor, type Visitor } from '#quality/support/visitor.ts'
import { useWorld, type World } from '#quality/support/world.ts'

const world = useWorld({ env: { TRUSTED_PROXIES: '127.0.0.1,::1' } })
beforeEach(async () => {
  await world().db.deleteFrom('rate_limits').execute()
  await world().db.deleteFrom('refused_payments').execute()
})

let lastAddress = 0
const newAddress = (): string => `198.51.100.${++lastAddress}`
const placeAt = (address: string): Pick<World, 'visitor' | 'newSim' | 'card'> => ({
  ...world(),
  visitor: () => newVisitor(world().url, undefined, { 'x-forwarded-for': address }),
})
const at = (address: string) => ({ 'x-forwarded-for': address })

const cardsAtGateway = async () => (await world().ledgers()).gateway.length
const refusedPayments = () => world().db.selectFrom('refused_payments').selectAll().execute()
const waitOf = ({ headers }: { headers: Headers }) => Number(headers.get('retry-after'))
const times = <T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> =>
  Array.fromAsync({ length: count }, (_, index) => act(index))

const payFrom = ({ visitor }: WizardVisitor, address: string, holder = 'DECLINED') =>
  visitor.post(
    '/api/activate/pay/',
    { payment_method: '1', use_saved_card: false, adyen_encrypted: world().card(holder) },
    { ...at(address), 'idempotency-key': crypto.randomUUID() },
  )

async function letTimePass(seconds: number): Promise<void> {
  const rows = await refusedPayments()
  for (const row of rows) {
    await world()
      .db.updateTable('refused_payments')
      .set({ asked_at: new Date(row.asked_at.getTime() - seconds * 1_000) })
      .where('reference', '=', row.reference)
      .execute()
  }
}

test(
  'of 500 declined cards from 20 sessions, at most 40 reach the gateway, and 2 customers can still pay',
  { tags: ['slow'], timeout: 180_000 },
  async () => {
    const addresses = [newAddress(), newAddress(), newAddress()]
    const sims = await times(5, () => world().newSim())
    const owner = await makeCustomer(world())
    const attackers = await times(20, (index) =>
      advanceWizardTo(placeAt(addresses[index % 3]!), 'PAYMENT', { sim: sims[index % 5]! }),
    )
    const bystander = await advanceWizardTo(placeAt(newAddress()), 'PAYMENT', { sim: sims[2]! })
    const before = await cardsAtGateway()

    const statuses: number[] = []
    const customers: number[] = []
    for (let round = 0; round < 25; round++) {
      const attack = attackers.map(
        async (attacker, index) =>
          void statuses.push((await payFrom(attacker, addresses[(index + round) % 3]!)).status),
      )
      const pay = round === 12 ? [bystander.pay(), payAsOwner(owner.visitor, addresses[0]!)] : []
      await Promise.all([...attack, ...pay.map(async (answer) => void customers.push((await answer).status))])
    }
    expect(customers).toEqual([200, 200])
    expect(statuses).toHaveLength(500)
    expect(statuses.every((status) => status === 400 || status === 429)).toBe(true)
    const reached = (await cardsAtGateway()) - before - customers.length
    expect(reached).toBeGreaterThan(5)
    expect(reached).toBeLessThanOrEqual(40)
    expect(await refusedPayments()).toHaveLength(reached)
  },
)

async function payAsOwner(visitor: Visitor, address: string) {
  const sim = await world().newSim()
  for (const [step, answers] of [
    ['sim', { ...sim, setup_porting: false }],
    ['method', { method: 'payment' }],
    ['plan', { plan: 'plan-30-5gb' }],
  ] as const) {
    expect((await visitor.post(`/api/activate/${step}/`, answers, at(address))).status).toBe(200)
  }
  return visitor.post(
    '/api/activate/pay/',
    { payment_method: '1', use_saved_card: false, adyen_encrypted: world().card() },
    { ...at(address), 'idempotency-key': crypto.randomUUID() },
  )
}

test('after five declined cards in a row, there is no waiting time and a valid sixth card is charged', async () => {
  const traveller = await advanceWizardTo(placeAt(newAddress()), 'PAYMENT')
  expect(await times(5, async () => (await traveller.pay({ holder: 'DECLINED' })).status)).toEqual(Array(5).fill(400))
  expect((await traveller.pay()).status).toBe(200)
  await traveller.arriveAt('SUCCESSFUL')
  expect(await refusedPayments()).toHaveLength(5)
})

test(
  'after six declined cards, further payments get a 429 with a growing waiting time and do not reach the gateway',
  { tags: ['slow'] },
  async () => {
    const traveller = await advanceWizardTo(placeAt(newAddress()), 'PAYMENT')
    await times(6, () => traveller.pay({ holder: 'DECLINED' }))
    const before = await cardsAtGateway()
    const refused = await traveller.pay()
    expect(refused).toMatchObject({ status: 429, body: { code: 'Too many requests. Please try again shortly.' } })
    expect(waitOf(refused)).toBeGreaterThan(290)
    expect(waitOf(refused)).toBeLessThanOrEqual(300)
    expect(await cardsAtGateway()).toBe(before)
    expect(
      await world()
        .db.selectFrom('orders')
        .select('id')
        .where('email', '=', traveller.email)
        .where('state', '!=', 'refused')
        .execute(),
    ).toEqual([])
    expect((await traveller.look()).state).toBe('PAYMENT')

    await letTimePass(300)
    expect((await traveller.pay({ holder: 'DECLINED' })).status).toBe(400)
    expect(waitOf(await traveller.pay())).toBeGreaterThan(590)
    await letTimePass(600)
    expect((await traveller.pay()).status).toBe(200)
  },
)

test(
  'simultaneous payments get no more cards to the gateway than payments made one after another',
  { tags: ['slow'] },
  async () => {
    const address = newAddress()
    const sim = await world().newSim()
    const attackers = await times(12, () => advanceWizardTo(placeAt(address), 'PAYMENT', { sim }))
    const owner = await makeCustomer(world(), { services: 1 })
    const before = await cardsAtGateway()
    await Promise.all(attackers.map((attacker) => attacker.pay({ holder: 'DECLINED' })))
    await Promise.all(attackers.map((attacker) => attacker.pay({ holder: 'DECLINED' })))
    await Promise.all(attackers.map((attacker) => attacker.pay({ holder: 'DECLINED' })))
    expect((await cardsAtGateway()) - before).toBeLessThanOrEqual(6)
    const products = ['extra-2gb', 'extra-500mb', 'extra-10gb']
    const answers = (
      await times(4, () =>
        Promise.all(
          products.map((product) =>
            buyAddOn(world(), owner.visitor, owner.services[0]!, { product, holder: 'DECLINED' }),
          ),
        ),
      )
    ).flat()
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(6)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(6)
  },
)

describe('declined cards on one account', () => {
  test('an account’s refused renewals, add-ons and card updates count together, whatever IP address they come from', async () => {
    const owner = await makeCustomer(world(), { services: 1 })
    const [service] = owner.services
    const update = (holder?: string) =>
      owner.visitor.post(
        '/api/orders/update_payment/',
        { adyen_encrypted: world().card(holder) },
        { ...at(newAddress()), 'idempotency-key': crypto.randomUUID() },
      )
    for (const round of [1, 2]) {
      const answers = [
        await renew(world(), owner.visitor, service!, { holder: 'DECLINED' }),
        await buyAddOn(world(), owner.visitor, service!, { holder: 'DECLINED' }),
        await update('DECLINED'),
      ]
      expect([round, ...answers.map(({ status }) => status)]).toEqual([round, 400, 400, 400])
    }
    expect((await refusedPayments()).map(({ kind, user_id }) => `${kind} ${user_id === owner.id}`).toSorted()).toEqual(
      ['addon', 'addon', 'card_update', 'card_update', 'recharge', 'recharge'].map((kind) => `${kind} true`),
    )
    const good = [
      await renew(world(), owner.visitor, service!),
      await buyAddOn(world(), owner.visitor, service!),
      await update(),
    ]
    expect(good.map(({ status }) => status)).toEqual([429, 429, 429])
    for (const answer of good) expect(waitOf(answer)).toBeGreaterThan(280)
    expect((await renew(world(), owner.visitor, service!, { voucher: await world().newVoucher() })).status).toBe(200)
  })

  test('strangers’ refused payments for an account’s SIM do not limit the account', async () => {
    const owner = await makeCustomer(world(), { services: 1 })
    const [service] = owner.services
    const now = new Date()
    await world()
      .db.insertInto('refused_payments')
      .values(
        Array.from({ length: 40 }, (_, index) => ({
          reference: `X-${index}`,
          kind: 'activation' as const,
          asked_at: now,
          refused_at: now,
          address_hash: 'x',
          session_id: null,
          iccid: service!.sim.iccid,
          user_id: null,
        })),
      )
      .execute()
    expect((await renew(world(), owner.visitor, service!)).status).toBe(200)
  })
})

describe('payments whose refusal becomes known late', () => {
  test(
    'a refusal that becomes known late counts once, from the time when the card was sent',
    { tags: ['slow'], timeout: 90_000 },
    async () => {
      const traveller = await advanceWizardTo(placeAt(newAddress()), 'PAYMENT')
      const { status, body } = await traveller.pay({ holder: 'PENDING_DECLINED' })
      expect(status).toBe(202)
      expect(await refusedPayments()).toHaveLength(1)
      for (let time = 0; time < 3; time++) await resumeOrder(traveller.visitor, body.order_code)
      await pollUntil(async () => (await refusedPayments())[0]?.refused_at, { withinMs: 60_000 })
      expect(await refusedPayments()).toMatchObject([{ reference: `${body.order_code}-1`, kind: 'activation' }])
      expect(await auditOf(body.order_code)).toHaveLength(1)
    },
  )

  test('a payment that is cancelled after a gateway failure does not count as refused', async () => {
    const traveller = await advanceWizardTo(placeAt(newAddress()), 'PAYMENT')
    await failGateway(world(), { operation: 'authorise', kind: 'lost_request', times: 1000 })
    const { status, body } = await traveller.pay()
    expect(status).toBe(202)
    expect(await refusedPayments()).toHaveLength(1)
    await world()
      .db.updateTable('payment_attempts')
      .set({ resolve_by: new Date(0) })
      .where('reference', '=', `${body.order_code}-1`)
      .execute()
    await resumeOrder(traveller.visitor, body.order_code)
    await pollUntil(async () => (await refusedPayments()).length === 0)
    expect(await auditOf(body.order_code)).toEqual([])
    await clearFailures(world())
  })
})

const auditOf = async (orderCode: string) =>
  (await world().db.selectFrom('audit_events').selectAll().where('event', '=', 'payment_refused').execute()).filter(
    ({ details }) => JSON.stringify(details).includes(orderCode),
  )

test('each refused payment is in the audit trail, without any card data', async () => {
  const owner = await makeCustomer(world(), { services: 1 })
  await renew(world(), owner.visitor, owner.services[0]!, { holder: 'DECLINED' })
  const { status } = await owner.visitor.post(
    '/api/orders/update_payment/',
    { adyen_encrypted: world().card('NOT_ENOUGH_BALANCE') },
    { 'idempotency-key': 'k' },
  )
  expect(status).toBe(400)
  const events = await world()
    .db.selectFrom('audit_events')
    .selectAll()
    .where('event', '=', 'payment_refused')
    .where('user_id', '=', owner.id)
    .orderBy('id')
    .execute()
  expect(events.map(({ details }) => details)).toEqual([
    { kind: 'recharge', reference: expect.stringMatching(/^FT\w{10}-1$/) },
    { kind: 'card_update', reference: expect.stringMatching(/^CU\w{12}-1$/) },
  ])
  expect(JSON.stringify([events, await refusedPayments()])).not.toMatch(
    /DECLINED|NOT_ENOUGH|balance|Rewi|198\.51|127\.0/i,
  )
})
