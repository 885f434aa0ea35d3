import { describe, expect, test } from 'vitest'
import { activate, advanceWizardTo, type WizardVisitor } from '#quality/support/activation-journey.ts'
import { hidePaymentReference } from '#quality/support/hide-payment-reference.ts'
import {
  clearFailures,
  failGateway,
  failNetwork,
  readProviderRecords,
  readNetworkActions,
} from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()

const tryAgain = ({ visitor }: WizardVisitor) => visitor.post('/api/activate/activate/')
const simOf = ({ sim }: WizardVisitor) =>
  world().db.selectFrom('sim_packs').selectAll().where('iccid', '=', sim.iccid).executeTakeFirstOrThrow()
const accountsOf = ({ email }: WizardVisitor) =>
  world().db.selectFrom('users').select('id').where('email', '=', email).execute()
const paid = async (orderCode: string) => (await readProviderRecords(world(), orderCode)).gateway

async function expectNothingKept(traveller: WizardVisitor, orderCode: string): Promise<void> {
  for (const { authorised, captured, cancelled } of await paid(orderCode))
    expect({ captured, open: authorised - cancelled }).toEqual({ captured: 0, open: 0 })
  expect((await simOf(traveller)).order_id).toBeNull()
  expect(await accountsOf(traveller)).toEqual([])
  expect(await world().mailTo(traveller.email)).toEqual([])
  const { id } = await world()
    .db.selectFrom('orders')
    .select('id')
    .where('order_code', '=', orderCode)
    .executeTakeFirstOrThrow()
  expect(await world().db.selectFrom('services').select('id').where('order_id', '=', id).execute()).toEqual([])
  expect(await world().db.selectFrom('invoices').select('id').where('order_id', '=', id).execute()).toEqual([])
}

async function tasksOf(orderCode: string): Promise<string[]> {
  const rows = await world()
    .db.selectFrom('operator_tasks')
    .innerJoin('orders', 'orders.id', 'order_id')
    .select('reason')
    .where('order_code', '=', orderCode)
    .execute()
  return rows.map(({ reason }) => reason)
}

describe('SIMs whose activation fails once', () => {
  test('pressing “Try Again” continues the same order with the same payment', async () => {
    const traveller = await activate(world(), { behaviour: 'fails_once' })
    const { orderCode } = traveller
    expect(traveller.done).toMatchObject({ state: 'ERROR_CAN_RETRY', retry: false })
    expect((await tryAgain(traveller)).body).toMatchObject({ state: 'ACTIVATING', order_code: orderCode })
    expect(await traveller.arriveAt('SUCCESSFUL')).toMatchObject({ order_code: orderCode })
    expect(await paid(orderCode)).toMatchObject([{ authorised: 2200, captured: 2200, cancelled: 0 }])
    expect(await readNetworkActions(world(), orderCode)).toEqual([
      'activate failed',
      'activate completed',
      'add_plan completed',
    ])
  })

  test('pressing “Try Again” twice repeats the activation only once', async () => {
    const traveller = await activate(world(), { behaviour: 'fails_once' })
    const answers = await Promise.all([tryAgain(traveller), tryAgain(traveller)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    await traveller.arriveAt('SUCCESSFUL')
    expect(await readNetworkActions(world(), traveller.orderCode)).toEqual([
      'activate failed',
      'activate completed',
      'add_plan completed',
    ])
  })

  test("responds with 409 to the activation's signup, method, plan and payment steps while the order is on hold", async () => {
    const { visitor, email } = await activate(world(), { behaviour: 'fails_once' })
    for (const [step, body] of Object.entries({
      signup: { full_name: 'Mere Tane', email, password: 'korimako1' },
      method: { method: 'payment' },
      plan: { plan: 'plan-7-500mb' },
      pay: {},
    })) {
      expect((await visitor.post(`/api/activate/${step}/`, body)).status).toBe(409)
    }
  })

  test('an order on hold is abandoned when the customer starts over with a different SIM', async () => {
    const traveller = await activate(world(), { behaviour: 'fails_once' })
    const other = await world().newSim()
    expect(await traveller.visitor.post('/api/activate/sim/', { ...other, setup_porting: false })).toMatchObject({
      status: 200,
      body: { state: 'CREATED', order_code: null },
    })
    await pollUntil(async () => (await simOf(traveller)).order_id === null)
    await expectNothingKept(traveller, traveller.orderCode)
    expect((await traveller.look()).state).toBe('CREATED')
  })

  test(
    'an order on hold is abandoned if the customer does not try again within a day',
    { tags: ['slow'] },
    async () => {
      const traveller = await activate(world(), { behaviour: 'fails_once' })
      await world().advance('PT23H')
      expect((await traveller.look()).state).toBe('ERROR_CAN_RETRY')
      await world().advance('PT2H')
      expect((await traveller.look()).state).toBe('PERMANENTLY_FAILED')
      await expectNothingKept(traveller, traveller.orderCode)
      expect(await tryAgain(traveller)).toMatchObject({ status: 200, body: null })
      expect((await traveller.visitor.get('/api/activate/')).status).toBe(404)
    },
  )
})

describe('SIMs whose activation always fails', () => {
  test('an activation that fails permanently is reversed without a charge, and the SIM can be used again', async () => {
    const traveller = await activate(world(), { behaviour: 'fails_always' })
    expect(traveller.done.state).toBe('PERMANENTLY_FAILED')
    await expectNothingKept(traveller, traveller.orderCode)
    expect(await readNetworkActions(world(), traveller.orderCode)).toEqual(['activate failed'])
    expect(await traveller.visitor.post('/api/activate/method/', { method: 'payment' })).toMatchObject({ status: 409 })
    expect(await tryAgain(traveller)).toMatchObject({ status: 200, body: null })
    expect((await traveller.visitor.get('/api/activate/')).status).toBe(404)
    expect(
      await traveller.visitor.post('/api/activate/sim/', { ...traveller.sim, setup_porting: false }),
    ).toMatchObject({ status: 200, body: { state: 'CREATED' } })
  })

  test('after an activation fails permanently, the voucher that paid for it can be used again', async () => {
    const voucher = await world().newVoucher()
    const traveller = await activate(world(), { behaviour: 'fails_always', voucher })
    expect(traveller.done.state).toBe('PERMANENTLY_FAILED')
    await expectNothingKept(traveller, traveller.orderCode)
    expect((await world().visitor().get(`/api/vouchers/${voucher}/`)).status).toBe(200)
    expect((await activate(world(), { voucher })).done.state).toBe('SUCCESSFUL')
  })

  test(
    'an activation that fails permanently does not create a second account for the same email address',
    { tags: ['slow'] },
    async () => {
      const { email } = await activate(world())
      const before = await accountsOf({ email } as WizardVisitor)
      const { done } = await activate(world(), { email, behaviour: 'fails_always' })
      expect(done.state).toBe('PERMANENTLY_FAILED')
      expect(await accountsOf({ email } as WizardVisitor)).toEqual(before)
    },
  )
})

describe('plans that the network fails to add', () => {
  test(
    'if the network permanently fails to add the plan, the SIM is deactivated and the money is released',
    { tags: ['slow'] },
    async () => {
      await failNetwork(world(), { operation: 'add_plan', kind: 'fail_permanent' })
      const traveller = await activate(world())
      expect(traveller.done.state).toBe('PERMANENTLY_FAILED')
      expect(await readNetworkActions(world(), traveller.orderCode)).toEqual([
        'activate completed',
        'add_plan failed',
        'deactivate completed',
      ])
      await expectNothingKept(traveller, traveller.orderCode)
      expect((await activate(world(), { sim: traveller.sim })).done.state).toBe('SUCCESSFUL')
    },
  )

  test('if adding the plan fails temporarily, the order is put on hold and the SIM is not activated twice', async () => {
    await failNetwork(world(), { operation: 'add_plan', kind: 'fail_retryable' })
    const traveller = await activate(world())
    expect(traveller.done.state).toBe('ERROR_CAN_RETRY')
    await tryAgain(traveller)
    await traveller.arriveAt('SUCCESSFUL')
    expect(await readNetworkActions(world(), traveller.orderCode)).toEqual([
      'activate completed',
      'add_plan failed',
      'add_plan completed',
    ])
  })

  test('if the network refuses to deactivate the SIM, the SIM stays reserved and a task is created', async () => {
    await failNetwork(world(), { operation: 'add_plan', kind: 'fail_permanent' })
    await failNetwork(world(), { operation: 'deactivate', kind: 'fail_permanent' })
    const traveller = await activate(world())
    expect(traveller.done.state).toBe('PERMANENTLY_FAILED')
    expect(await tasksOf(traveller.orderCode)).toEqual([
      'the network would not deactivate the SIM: PROVISIONING_REFUSED',
    ])
    expect((await simOf(traveller)).order_id).not.toBeNull()
    expect(await paid(traveller.orderCode)).toMatchObject([{ captured: 0, cancelled: 2200 }])
  })
})

describe('activations during network failures', () => {
  for (const { operation, kind, tags } of [
    { operation: 'activate', kind: 'error_500', tags: ['slow'] },
    { operation: 'activate', kind: 'lost_answer', tags: ['slow'] },
    { operation: 'add_plan', kind: 'error_500', tags: ['slow'] },
    { operation: 'add_plan', kind: 'lost_answer', tags: [] },
    { operation: 'read', kind: 'error_500', tags: ['slow'] },
  ] as const)
    test(
      `a request that fails at the network (${operation}: ${kind}) is retried without an error and takes effect only once`,
      { tags: [...tags] },
      async () => {
        await failNetwork(world(), { operation, kind, times: 2 })
        const { done, orderCode } = await activate(world())
        expect(done.state).toBe('SUCCESSFUL')
        expect(await readNetworkActions(world(), orderCode)).toEqual(['activate completed', 'add_plan completed'])
      },
    )
})

describe('activations during gateway failures', () => {
  test.each(['error_500', 'lost_answer', 'lost_request'] as const)(
    'a failed capture (%s) is repeated and takes the money only once',
    { tags: ['slow'] },
    async (kind) => {
      await failGateway(world(), { operation: 'capture', kind })
      const { done, orderCode } = await activate(world())
      expect(done.state).toBe('SUCCESSFUL')
      expect(await paid(orderCode)).toMatchObject([{ authorised: 2200, captured: 2200 }])
    },
  )

  test('a failed cancellation of a payment is repeated until the money is released', { tags: ['slow'] }, async () => {
    await failGateway(world(), { operation: 'cancel', kind: 'error_500' })
    const traveller = await activate(world(), { behaviour: 'fails_always' })
    expect(traveller.done.state).toBe('PERMANENTLY_FAILED')
    await expectNothingKept(traveller, traveller.orderCode)
  })

  test('if the capture fails after delivery, a task is created and the customer keeps the plan', async () => {
    await failGateway(world(), { operation: 'capture', kind: 'refuse' })
    const { done, orderCode } = await activate(world())
    expect(done.state).toBe('SUCCESSFUL')
    const tasks = await pollUntil(async () => {
      const reasons = await tasksOf(orderCode)
      return reasons.length > 0 && reasons
    })
    expect(tasks).toEqual([`the capture of ${orderCode}-1 failed: Refused by a simulated failure`])
  })

  test('if the gateway refuses the capture immediately, the order is reversed and a task about the reserved money is created', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT', {})
    // Make the network fail, so that the order waits until the test has replaced the payment's gateway reference.
    await failNetwork(world(), { operation: 'activate', kind: 'error_500', times: 1000 })
    const { body } = await traveller.pay()
    await hidePaymentReference(world(), `${body.order_code}-1`)
    await clearFailures(world())
    await traveller.arriveAt('PERMANENTLY_FAILED')
    expect(await readNetworkActions(world(), body.order_code)).toEqual([
      'activate completed',
      'add_plan completed',
      'deactivate completed',
    ])
    expect(await paid(body.order_code)).toMatchObject([{ captured: 0 }])
    expect(await tasksOf(body.order_code)).toEqual([`authorisation ${body.order_code}-1 could not be cancelled: 167`])
  })
})

test('if a SIM pack is unused in our database but already active on the network, activating it creates one task', async () => {
  const sim = await world().newSim()
  const { network } = world().deps
  const lost = { externalId: 'FT00000000AC-sim-1', kind: 'activate_sim', iccid: sim.iccid, msisdn: sim.msisdn } as const
  expect(await network.place(lost)).toMatchObject({ outcome: 'known' })
  await pollUntil(() => isCompleted(lost.externalId))
  const openTasks = () =>
    world()
      .db.selectFrom('operator_tasks')
      .innerJoin('orders', 'orders.id', 'operator_tasks.order_id')
      .select(['operator_tasks.kind', 'operator_tasks.reason', 'orders.order_code'])
      .where('operator_tasks.subject', '=', `SIM pack ${sim.iccid}`)
      .where('operator_tasks.done_at', 'is', null)
      .execute()
  for (let customers = 0; customers < 2; customers++) {
    const traveller = await activate(world(), { sim })
    expect(traveller.done.state).toBe('PERMANENTLY_FAILED')
    await expectNothingKept(traveller, traveller.orderCode)
    expect(await openTasks()).toEqual([
      {
        kind: 'network',
        order_code: traveller.orderCode,
        reason: expect.stringContaining(`SIM pack ${sim.iccid} is unused in our tables but active on the network`),
      },
    ])
  }
})

const isCompleted = async (externalId: string): Promise<boolean> => {
  const order = await world().deps.network.read(externalId)
  return order.outcome === 'known' && order.state === 'completed'
}
