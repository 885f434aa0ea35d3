import { describe, expect, test } from 'vitest'
import { countLimitUse } from '#kit/server/limits.ts'
import { activationEmailLimit } from '#features/orders/server/activation-limit.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { advanceWizardTo, type WizardInputs, type WizardVisitor } from '#quality/support/activation-journey.ts'
import { readProviderRecords, readNetworkActions } from '#quality/support/simulators.ts'
import { type Answer, newEmail } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld({ hashing: 'real' })

const simTaken = 'Someone else has just activated this SIM. Please start again with another SIM.'
const voucherUsed = 'This voucher has already been used.'

const atOnce = <T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)))
const statusesOf = (answers: Answer[]): number[] => [...new Set(answers.map(({ status }) => status))].sort()
const ordersOf = ({ email }: WizardVisitor) =>
  world().db.selectFrom('orders').selectAll().where('email', '=', email).execute()

/**
 * Takes visitors to the checkout, one after another, because SIM digits entered simultaneously would count as guesses and reach a rate
 * limit.
 */
async function atCheckout(count: number, answers: (index: number) => WizardInputs): Promise<WizardVisitor[]> {
  const travellers = []
  for (let index = 0; index < count; index++) travellers.push(await advanceWizardTo(world(), 'PAYMENT', answers(index)))
  return travellers
}

function winnerOf(
  travellers: WizardVisitor[],
  answers: Answer[],
): { winner: WizardVisitor; losers: WizardVisitor[]; refusals: Answer[] } {
  const at = answers.findIndex(({ status }) => status === 200)
  const winner = travellers[at]
  if (!winner) throw new Error(`none won: ${answers.map(({ status }) => status).join(' ')}`)
  return { winner, losers: travellers.toSpliced(at, 1), refusals: answers.toSpliced(at, 1) }
}

// A SIM pack keeps only its five newest activations, so use five visitors.
describe('visitors who pay for the same SIM pack at the same time', () => {
  // By the second round all database connections are open, so the requests arrive closer together.
  test.each([1, 2])('accepts and charges only one of five concurrent payments for a SIM pack (round %i)', async () => {
    const sim = await world().newSim()
    const travellers = await atCheckout(5, () => ({ sim }))
    const chargedBefore = (await world().ledgers()).gateway.length
    const { winner, losers, refusals } = winnerOf(
      travellers,
      await Promise.all(travellers.map((traveller) => traveller.pay())),
    )
    expect(refusals.map(({ status, body }) => [status, body])).toEqual(losers.map(() => [400, { __all__: [simTaken] }]))

    const { order_code } = await winner.arriveAt('SUCCESSFUL')
    const { gateway } = await world().ledgers()
    expect(gateway.slice(chargedBefore)).toMatchObject([
      { reference: `${order_code}-1`, authorised: 2200, captured: 2200 },
    ])
    expect(await readNetworkActions(world(), order_code ?? '')).toEqual(['activate completed', 'add_plan completed'])
    for (const loser of losers) expect(await ordersOf(loser)).toEqual([])
    expect(await findFaultsWhenIdle(world())).toEqual([])
  })

  test('a visitor whose SIM pack has been activated by somebody else can start again with a different SIM', async () => {
    const sim = await world().newSim()
    const travellers = await atCheckout(2, () => ({ sim }))
    const {
      losers: [loser],
    } = winnerOf(travellers, await Promise.all(travellers.map((traveller) => traveller.pay())))
    expect(await loser?.look()).toMatchObject({ state: 'PAYMENT', order_code: null })
    expect(
      (await loser?.visitor.post('/api/activate/sim/', { ...(await world().newSim()), setup_porting: false }))?.status,
    ).toBe(200)
  })
})

describe('activations that use the same voucher', () => {
  test.each([1, 2])(
    'tells a visitor that somebody else has used their voucher, and lets them pay by card (round %i)',
    async () => {
      const voucher = await world().newVoucher()
      const travellers = await atCheckout(2, () => ({ voucher }))
      const {
        winner,
        losers: [loser],
        refusals,
      } = winnerOf(travellers, await Promise.all(travellers.map((traveller) => traveller.pay())))
      expect(refusals.map(({ status, body }) => [status, body])).toEqual([[400, { __all__: [voucherUsed] }]])
      await winner.arriveAt('SUCCESSFUL')

      await loser?.visitor.post('/api/activate/method/', { method: 'payment' })
      await loser?.visitor.post('/api/activate/plan/', { plan: 'plan-7-500mb' })
      expect(
        (await loser?.visitor.post('/api/activate/pay/', { payment_method: '1', adyen_encrypted: world().card() }))
          ?.status,
      ).toBe(200)
      await loser?.arriveAt('SUCCESSFUL')
      expect(await findFaultsWhenIdle(world())).toEqual([])
    },
  )

  test('concurrent payments that share a voucher and a SIM do not deadlock', async () => {
    const [voucher, sim] = [await world().newVoucher(), await world().newSim()]
    const travellers = await atCheckout(10, (index) => (index % 2 ? { voucher, sim } : { voucher }))
    const { winner, refusals } = winnerOf(travellers, await Promise.all(travellers.map((traveller) => traveller.pay())))
    expect(statusesOf(refusals)).toEqual([400])
    await winner.arriveAt('SUCCESSFUL')
    expect(await findFaultsWhenIdle(world())).toEqual([])
  })
})

test('accepts two of five concurrent payments when the email address’s limit allows two more activations', async () => {
  const email = newEmail()
  for (let used = 0; used < 98; used++) await countLimitUse(world().db, [activationEmailLimit(email)])
  const travellers = await atCheckout(5, () => ({ email }))
  const answers = await Promise.all(travellers.map((traveller) => traveller.pay()))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 429, 429, 429])
  expect(await findFaultsWhenIdle(world())).toEqual([])
})

describe('a visitor whose browser sends the same request twenty times at once', () => {
  const charged = async (traveller: WizardVisitor): Promise<number[]> => {
    const orders = await ordersOf(traveller)
    const lines = await Promise.all(orders.map(({ order_code }) => readProviderRecords(world(), order_code)))
    return lines.flatMap(({ gateway }) => gateway).map(({ captured }) => captured)
  }

  test('twenty concurrent payments with the same idempotency key create one order and get matching responses', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    const answers = await atOnce(20, () => traveller.pay({ key: 'the form' }))
    expect(statusesOf(answers).every((status) => status === 200 || status === 202)).toBe(true)
    expect(new Set(answers.map(({ body }) => body.order_code)).size).toBe(1)
    const done = await traveller.arriveAt('SUCCESSFUL')
    expect(done.order_code).toBe(answers[0]?.body.order_code)
    expect(await charged(traveller)).toEqual([2200])
    expect(await traveller.pay({ key: 'the form' })).toMatchObject({
      status: 200,
      body: { order_code: done.order_code },
    })
    expect(await findFaultsWhenIdle(world())).toEqual([])
  })

  test.each([
    ['different idempotency keys', (index: number) => ({ 'idempotency-key': `press ${index}` })],
    ['no idempotency key', () => ({})],
  ])('accepts one of twenty concurrent payments with %s and answers 409 to the others', async (_which, headersOf) => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    const body = { payment_method: '1', adyen_encrypted: world().card() }
    const answers = await atOnce(20, (index) => traveller.visitor.post('/api/activate/pay/', body, headersOf(index)))
    expect(answers.filter(({ status }) => status === 200 || status === 202)).toHaveLength(1)
    for (const { status, body: said } of answers.filter((answer) => answer.status !== 200 && answer.status !== 202)) {
      expect({ status, said }).toEqual({
        status: 409,
        said: { __all__: [expect.stringMatching(/being processed|has changed/)] },
      })
    }
    await traveller.arriveAt('SUCCESSFUL')
    expect(await charged(traveller)).toEqual([2200])
    expect(await findFaultsWhenIdle(world())).toEqual([])
  })

  test('twenty concurrent payments with the same voucher redeem it only once', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT', { voucher: await world().newVoucher() })
    const answers = await atOnce(20, () => traveller.pay({ key: 'the form' }))
    expect(statusesOf(answers)).toEqual([200])
    await traveller.arriveAt('SUCCESSFUL')
    expect(await ordersOf(traveller)).toMatchObject([{ state: 'completed', amount_cents: 0 }])
    expect(await findFaultsWhenIdle(world())).toEqual([])
  })

  test('after twenty concurrent payments are declined, twenty more with a different card charge that card only once', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    const declined = await atOnce(20, () => traveller.pay({ holder: 'DECLINED', key: 'the form' }))
    expect(statusesOf(declined).every((status) => status === 400 || status === 202)).toBe(true)
    expect((await traveller.pay({ key: 'the form' })).status).toBe(400)
    await atOnce(20, () => traveller.pay({ key: 'the next' }))
    await traveller.arriveAt('SUCCESSFUL')
    expect((await charged(traveller)).sort()).toEqual([0, 2200])
    expect(await findFaultsWhenIdle(world())).toEqual([])
  })

  test('pressing Try Again twenty times at once retries the activation only once', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT', { behaviour: 'fails_once' })
    await traveller.pay()
    const { order_code } = await traveller.arriveAt('ERROR_CAN_RETRY')
    const answers = await atOnce(20, () => traveller.visitor.post('/api/activate/activate/'))
    expect(statusesOf(answers)).toEqual([200])
    await traveller.arriveAt('SUCCESSFUL')
    expect(await readNetworkActions(world(), order_code ?? '')).toEqual([
      'activate failed',
      'activate completed',
      'add_plan completed',
    ])
    expect(await charged(traveller)).toEqual([2200])
    expect(await findFaultsWhenIdle(world())).toEqual([])
  })

  test('resuming a pending payment twenty times at once charges only once', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    const { body } = await traveller.pay({ holder: 'TIMEOUT' })
    const answers = await atOnce(20, () => traveller.visitor.post(`/api/orders/${body.order_code}/resume/`))
    expect(statusesOf(answers).every((status) => status === 200 || status === 202)).toBe(true)
    await traveller.arriveAt('SUCCESSFUL')
    expect(await charged(traveller)).toEqual([2200])
    expect(await findFaultsWhenIdle(world())).toEqual([])
  })
})

describe('a visitor with several browser tabs', () => {
  test('browser tabs that start at the same time share a single activation', async () => {
    const visitor = world().visitor()
    const sims = [await world().newSim(), await world().newSim(), await world().newSim(), await world().newSim()]
    const begin = (sim: (typeof sims)[number]) => visitor.post('/api/activate/sim/', { ...sim, setup_porting: false })
    await visitor.get('/api/account/')
    for (let round = 0; round < 2; round++) {
      expect(statusesOf(await Promise.all(sims.map(begin)))).toEqual([200])
      const iccids = sims.map(({ iccid }) => iccid)
      const live = await world()
        .db.selectFrom('activations')
        .select('id')
        .where('iccid', 'in', iccids)
        .where('ended_at', 'is', null)
        .execute()
      expect(live).toHaveLength(1)
    }
  })

  test('when browser tabs choose different plans at the same time, the visitor is charged for the plan that is shown', async () => {
    const traveller = await advanceWizardTo(world(), 'METHOD_ENTERED')
    const plans = ['plan-7-500mb', 'plan-30-5gb']
    const answers = await atOnce(10, (index) =>
      traveller.visitor.post('/api/activate/plan/', { plan: plans[index % 2] }),
    )
    expect(statusesOf(answers)).toEqual([200])
    const shown = await traveller.look()
    await traveller.pay()
    const done = await traveller.arriveAt('SUCCESSFUL')
    expect(done.product).toEqual(shown.product)
    const { gateway } = await readProviderRecords(world(), done.order_code ?? '')
    expect(gateway).toMatchObject([{ captured: Number(shown.balance_due.replace('.', '')) }])
  })

  test('a visitor who changes the plan in one tab while paying in another is charged for the plan that is activated', async () => {
    const travellers = await atCheckout(6, () => ({}))
    for (const [index, traveller] of travellers.entries()) {
      const goBack = () => traveller.visitor.post('/api/activate/plan/', { plan: 'plan-90-25gb' })
      const [first, second] = index % 2 ? [goBack, traveller.pay] : [traveller.pay, goBack]
      await Promise.all([first(), second()])
      const { product, order_code } = await traveller.arriveAt('SUCCESSFUL')
      const { gateway } = await readProviderRecords(world(), order_code ?? '')
      expect(gateway).toMatchObject([{ captured: Number(product?.price.replace('.', '')) }])
    }
    expect(await findFaultsWhenIdle(world())).toEqual([])
  })

  test('a visitor can still complete the wizard after browser tabs have submitted different steps at the same time', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    const answers = await Promise.all([
      traveller.visitor.post('/api/activate/signup/', {
        full_name: 'Mere Tane',
        email: traveller.email,
        password: 'korimako2',
      }),
      traveller.visitor.post('/api/activate/method/', { method: 'payment' }),
      traveller.visitor.post('/api/activate/plan/', { plan: 'plan-7-500mb' }),
    ])
    expect(statusesOf(answers).every((status) => status === 200 || status === 409)).toBe(true)
    await traveller.visitor.post('/api/activate/method/', { method: 'payment' })
    await traveller.visitor.post('/api/activate/plan/', { plan: 'plan-7-500mb' })
    expect((await traveller.pay()).status).toBe(200)
    await traveller.arriveAt('SUCCESSFUL')
  })
})

test('nine visitors can start activating the same SIM pack at the same time, but only five of their activations are kept', async () => {
  const sim = await world().newSim()
  const visitors = Array.from({ length: 9 }, () => world().visitor())
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(
      visitors.map((visitor) => visitor.post('/api/activate/sim/', { ...sim, setup_porting: false })),
    )
    expect(statusesOf(answers)).toEqual([200])
  }
  const live = world()
    .db.selectFrom('activations')
    .select('id')
    .where('iccid', '=', sim.iccid)
    .where('ended_at', 'is', null)
  expect(await live.execute()).toHaveLength(5)
})
