import { expect, test, vi } from 'vitest'
import {
  activateTestSim,
  createActivationOrder,
  createClient,
  makeDataDir,
  createPortInOrder,
  ports,
  serviceOrder,
  sims,
  startNetwork,
  waitForState,
} from './test-network.ts'
import { inventoryBase } from './inventory.ts'
import { orderingBase } from './present-order.ts'

type Body = Record<string, unknown>

const orders = `${orderingBase}/serviceOrder`
const resources = `${inventoryBase}/resource`

test('an order is first acknowledged and then completed, with its dates', async () => {
  const patient = createClient(await startNetwork({ stepMs: 60_000 }))
  expect(await patient.place(createActivationOrder('A-1'))).toMatchObject({
    status: 201,
    body: {
      externalId: 'A-1',
      state: 'acknowledged',
      serviceOrderItem: [{ id: '1', action: 'add', state: 'acknowledged' }],
      milestone: [],
      errorMessage: [],
      '@type': 'ServiceOrder',
    },
  })
  const { place, read } = createClient(await startNetwork())
  const placed = await place(createActivationOrder('A-1'))
  const { body } = await vi.waitFor(async () => {
    const answer = await read(placed.body.href)
    expect(answer.body.state).toBe('completed')
    return answer
  }, 30_000)
  expect(body.serviceOrderItem[0].state).toBe('completed')
  expect(Date.parse(body.orderDate)).toBeLessThanOrEqual(Date.parse(body.startDate))
  expect(Date.parse(body.startDate)).toBeLessThanOrEqual(Date.parse(body.completionDate))
})

test('repeating an externalId returns the first order, or is rejected if the order is different', async () => {
  const network = await startNetwork()
  const { place } = createClient(network)
  const first = await place(createActivationOrder('A-1'))
  const again = await place(createActivationOrder('A-1'))
  expect(again).toMatchObject({ status: 200, body: { id: first.body.id } })
  expect(await place(createActivationOrder('A-1', sims.second))).toMatchObject({
    status: 409,
    body: { code: 'EXTERNAL_ID_REUSED' },
  })
  expect(network.ledger()).toHaveLength(1)
})

test('if twenty orders for the same SIM arrive at once, only one is accepted', async () => {
  const network = await startNetwork({ stepMs: 60_000 })
  const { place } = createClient(network)
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => place(createActivationOrder(`A-${n}`))))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(answers.filter(({ status, body }) => status === 409 && body.code === 'SIM_RESERVED')).toHaveLength(19)
  expect(network.ledger()).toHaveLength(1)
})

test('an order is rejected with a TM Forum error if the SIM’s state does not allow it', async () => {
  const network = await startNetwork({ portDelayMs: 60_000 })
  const { place } = createClient(network)
  const { iccid, msisdn } = sims.ok
  const refusal = async (body: Body) => {
    const {
      status,
      body: { code },
    } = await place(body)
    return [status, code]
  }
  const plan = serviceOrder('P-1', 'add', 'prepaidPlan', { iccid, msisdn, sku: 'plan-30' })

  expect(await place(plan)).toMatchObject({
    status: 409,
    body: {
      code: 'SIM_NOT_ACTIVE',
      reason: 'The SIM is not active.',
      message: 'The SIM is not active.',
      status: '409',
    },
  })
  expect(await refusal(serviceOrder('D-0', 'delete', 'mobileLine', sims.ok))).toEqual([409, 'SIM_NOT_ACTIVE'])
  expect(await refusal(createPortInOrder('X-1', ports.completes))).toEqual([409, 'SIM_NOT_ACTIVE'])
  expect(await refusal(createActivationOrder('A-0', { iccid: '8964019999999999999', msisdn }))).toEqual([
    404,
    'UNKNOWN_SIM',
  ])
  expect(await refusal(createActivationOrder('A-0', { iccid, msisdn: sims.second.msisdn }))).toEqual([
    409,
    'NUMBER_MISMATCH',
  ])

  await activateTestSim(network)
  expect(await refusal(createActivationOrder('A-2'))).toEqual([409, 'SIM_ALREADY_ACTIVE'])
  expect(await refusal(createPortInOrder('X-1', sims.second.msisdn))).toEqual([409, 'NUMBER_ON_THIS_NETWORK'])
  expect(await place(createPortInOrder('X-1', ports.completes))).toMatchObject({ status: 201 })
  expect(await refusal(createPortInOrder('X-2', ports.fails))).toEqual([409, 'PORT_IN_PROGRESS'])
  expect(await refusal(serviceOrder('D-1', 'delete', 'mobileLine', sims.ok))).toEqual([409, 'ORDER_IN_PROGRESS'])
})

test('an invalid order is rejected with HTTP 400, and the response names the invalid part', async () => {
  const { place } = createClient(await startNetwork())
  const { iccid, msisdn } = sims.ok
  const [item] = createActivationOrder('A-1').serviceOrderItem
  const reason = async (body: unknown) => {
    const {
      status,
      body: { reason: said },
    } = await place(body)
    expect(status).toBe(400)
    return said
  }
  expect(await reason({})).toContain('serviceOrderItem')
  expect(await reason({ serviceOrderItem: [] })).toContain('serviceOrderItem')
  expect(await reason({ serviceOrderItem: [item, item] })).toContain('serviceOrderItem')
  expect(await reason(serviceOrder('A-1', 'modify', 'mobileLine', sims.ok))).toBe('cannot modify a mobileLine')
  expect(await reason(serviceOrder('A-1', 'add', 'mobileLine', { iccid: '12', msisdn }))).toContain('iccid')
  expect(await reason(serviceOrder('A-1', 'add', 'prepaidPlan', { iccid, msisdn }))).toContain('sku')
  const prepay = { iccid, msisdn, donorProviderId: 'skinny', billingMethod: 'prepay' }
  expect(await reason(serviceOrder('X-1', 'add', 'numberPortIn', prepay))).toContain('donorIccid')
  expect(await reason({ ...createActivationOrder('A-1'), requestedStartDate: 'tomorrow' })).toContain(
    'requestedStartDate',
  )
  expect(await reason({ ...createActivationOrder('A-1'), requestedStartDate: '2030-01-01T00:00:00Z' })).toContain(
    'start later',
  )
})

test('orders can be listed with fields, offset, limit and filters, and the response includes the total count', async () => {
  const network = await startNetwork({ stepMs: 60_000, slowStepMs: 60_000 })
  const { place, read } = createClient(network)
  await place(createActivationOrder('A-1'))
  await place(createActivationOrder('A-2', sims.second))
  await place(createActivationOrder('A-3', sims.slow))
  const externalIds = (body: Body[]) => body.map(({ externalId }) => externalId)

  const page = await read(`${orders}?offset=1&limit=1`)
  expect(externalIds(page.body)).toEqual(['A-2'])
  expect([page.headers.get('X-Total-Count'), page.headers.get('X-Result-Count')]).toEqual(['3', '1'])
  expect(externalIds((await read(`${orders}?externalId=A-3`)).body)).toEqual(['A-3'])
  expect((await read(`${orders}?externalId=A-4`)).body).toEqual([])
  expect((await read(`${orders}?externalId=A-3&state=completed`)).body).toEqual([])
  expect(Object.keys((await read(`${orders}?fields=state&limit=1`)).body[0])).toEqual(['id', 'href', 'state'])
  expect(await read(`${orders}?limit=-1`)).toMatchObject({ status: 400, body: { code: 'INVALID_QUERY' } })
  expect(await read(`${orders}/nothing`)).toMatchObject({ status: 404, body: { code: 'UNKNOWN_ORDER' } })
  expect(await read('/tmf-api/elsewhere')).toMatchObject({ status: 404, body: { status: '404' } })
})

test('deactivating a SIM removes its plan and frees the SIM and its number', async () => {
  const network = await startNetwork()
  const { place, read } = createClient(network)
  const statusOf = async (query: string) => {
    const {
      body: [{ resourceStatus, usageState }],
    } = await read(`${resources}?${query}`)
    return [resourceStatus, usageState]
  }
  const { iccid, msisdn } = sims.ok
  expect(await statusOf(`serialNumber=${iccid}`)).toEqual(['available', 'idle'])
  await activateTestSim(network)
  await place(serviceOrder('P-1', 'add', 'prepaidPlan', { iccid, msisdn: `+${msisdn}`, sku: 'plan-30' }))
  const addon = serviceOrder('O-1', 'add', 'addOn', { iccid, msisdn, sku: 'data-1' })
  await place({ ...addon, requestedStartDate: '2099-01-01T00:00:00Z' })
  await waitForState(network, 'P-1', 'completed')
  await waitForState(network, 'O-1', 'completed')
  expect(await statusOf(`serialNumber=${iccid}`)).toEqual(['reserved', 'active'])
  expect(await statusOf(`value=${msisdn}`)).toEqual(['reserved', 'active'])
  expect((await read('/_simulator/lines')).body).toEqual([
    {
      iccid,
      msisdn,
      plans: [{ sku: 'plan-30', starts_at: expect.stringMatching(/^20/) }],
      addons: [{ sku: 'data-1', starts_at: '2099-01-01T00:00:00Z' }],
    },
  ])

  await place(serviceOrder('D-1', 'delete', 'mobileLine', sims.ok))
  await vi.waitFor(async () => expect((await read('/_simulator/lines')).body).toEqual([]), 30_000)
  expect(await statusOf(`serialNumber=${iccid}`)).toEqual(['available', 'idle'])
  expect(await statusOf(`value=${msisdn}`)).toEqual(['available', 'idle'])
  expect(await place(createActivationOrder('A-2'))).toMatchObject({ status: 201 })
})

test('a completed number transfer assigns the transferred number to the line and frees the SIM pack’s number', async () => {
  const network = await startNetwork()
  const { place, read } = createClient(network)
  await activateTestSim(network)
  const { iccid, msisdn } = sims.ok
  await place(createPortInOrder('X-1', ports.completes))
  await waitForState(network, 'X-1', 'completed')

  const numbers = `${resources}?%40type=LogicalResource&resourceStatus=`
  const values = async (status: string) => (await read(numbers + status)).body.map(({ value }: Body) => value)
  expect(await values('reserved')).toEqual([ports.completes])
  expect(await values('available')).toContain(msisdn)
  const { body: sim } = await read(`${resources}/sim-${iccid}`)
  expect(sim.resourceRelationship).toMatchObject([{ id: `msisdn-${ports.completes}`, relationshipType: 'uses' }])
  // A caller that has not yet heard that the transfer is complete may still order with the line's old number.
  const plan = serviceOrder('P-1', 'add', 'prepaidPlan', { iccid, msisdn, sku: 'plan-30' })
  expect(await place(plan)).toMatchObject({ status: 201 })
})

test('importing the same SIMs again changes nothing, and if one SIM conflicts, none are imported', async () => {
  const network = await startNetwork()
  await activateTestSim(network)
  const { call, read } = createClient(network)
  const post = (body: unknown) => call('POST', '/_simulator/sims', body)
  const lines = (await read('/_simulator/lines')).body
  expect((await post([sims.ok, sims.second])).status).toBe(204)
  expect((await read('/_simulator/lines')).body).toEqual(lines)

  const newcomer = { iccid: '8964010000000000060', msisdn: '64210000006' }
  expect((await post([newcomer, { iccid: '8964010000000000078', msisdn: sims.ok.msisdn }])).status).toBe(409)
  expect((await read(`${resources}?serialNumber=${newcomer.iccid}`)).body).toEqual([])
  expect((await post([{ iccid: 'x' }])).status).toBe(400)
})

test('removing a plan by the order that added it restores the previous plan, even after a restart', async () => {
  const dataDir = await makeDataDir()
  const network = await startNetwork({ dataDir })
  const { place } = createClient(network)
  const { iccid, msisdn } = sims.ok
  await activateTestSim(network)
  for (const id of ['P-1', 'P-2']) {
    await place(serviceOrder(id, 'add', 'prepaidPlan', { iccid, msisdn, sku: id }))
    await waitForState(network, id, 'completed')
  }
  const remove = (id: string, addedByExternalId: string) =>
    serviceOrder(id, 'delete', 'prepaidPlan', { iccid, msisdn, addedByExternalId })
  expect(await place(remove('R-0', 'P-9'))).toMatchObject({ status: 404, body: { code: 'UNKNOWN_PRODUCT' } })
  expect(
    await place(serviceOrder('R-0', 'delete', 'addOn', { iccid, msisdn, addedByExternalId: 'P-2' })),
  ).toMatchObject({ status: 404, body: { code: 'UNKNOWN_PRODUCT' } })
  expect(await place(remove('R-1', 'P-2'))).toMatchObject({
    status: 201,
    body: { serviceOrderItem: [{ action: 'delete' }] },
  })
  await waitForState(network, 'R-1', 'completed')
  await network.close()

  const again = await startNetwork({ dataDir })
  expect((await createClient(again).read('/_simulator/lines')).body).toMatchObject([
    { iccid, plans: [{ sku: 'P-1' }], addons: [] },
  ])
})
