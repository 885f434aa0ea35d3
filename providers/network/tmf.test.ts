import * as v from 'valibot'
import { expect, test, vi } from 'vitest'
import {
  activateTestSim,
  makeDataDir,
  ports,
  sims,
  startNetwork,
  startEventReceiver,
  waitForState,
} from '#simulators/network/test-network.ts'
import type { NetworkSimulator } from '#simulators/network/simulator.ts'
import { readEvent } from './event.ts'
import type { MobileNetwork, NetworkOrder } from './network.port.ts'
import { portStatus, getPortOrderStatus } from './number-port-status.ts'
import { networkMappingSchema } from './mapping.ts'
import { createMobileNetwork } from './tmf.ts'

const adapterOf = ({ url }: NetworkSimulator, timeoutMs = 30_000) => createMobileNetwork({ baseUrl: url, timeoutMs })

const activation = (externalId: string, sim = sims.ok): NetworkOrder => ({ externalId, kind: 'activate_sim', ...sim })
const plan = (externalId: string, startsAt?: string): NetworkOrder => ({
  externalId,
  kind: 'add_plan',
  ...sims.ok,
  sku: 'plan-30',
  startsAt,
})
const addon = (externalId: string): NetworkOrder => ({ externalId, kind: 'add_addon', ...sims.ok, sku: 'data-1' })
const portIn = (externalId: string, portingMsisdn: string): NetworkOrder => ({
  externalId,
  kind: 'port_in',
  ...sims.ok,
  portingMsisdn,
  donorProviderId: 'skinny',
  billingMethod: 'prepay',
  donorIccid: '8964050000000000',
})

const running = { outcome: 'known', state: 'running', subState: null, fault: null }
const completed = { ...running, state: 'completed' }

async function outcomeOf(network: NetworkSimulator, externalId: string): ReturnType<MobileNetwork['read']> {
  return vi.waitFor(async () => {
    const answer = await adapterOf(network).read(externalId)
    expect(answer).not.toMatchObject({ state: 'running' })
    return answer
  }, 30_000)
}

test('activates a SIM, adds a plan, an add-on and a later plan, and deactivates the SIM', async () => {
  const network = await startNetwork()
  const { place } = adapterOf(network)
  await place(activation('A-1'))
  expect(await outcomeOf(network, 'A-1')).toEqual(completed)
  await place(plan('P-1'))
  await place(plan('P-2', '2099-01-01T00:00:00Z'))
  await place(addon('O-1'))
  for (const id of ['P-1', 'P-2', 'O-1']) expect(await outcomeOf(network, id)).toEqual(completed)
  await place({ ...sims.ok, externalId: 'D-1', kind: 'deactivate_sim' })
  expect(await outcomeOf(network, 'D-1')).toEqual(completed)
  expect(network.ledger().map(({ action, external_id, state }) => [action, external_id, state])).toEqual([
    ['activate', 'A-1', 'completed'],
    ['add_plan', 'P-1', 'completed'],
    ['add_plan', 'P-2', 'completed'],
    ['add_addon', 'O-1', 'completed'],
    ['deactivate', 'D-1', 'completed'],
  ])
})

test('a network order of any kind is running right after it was accepted', async () => {
  const dataDir = await makeDataDir()
  const quick = await startNetwork({ dataDir })
  for (const sim of [sims.ok, sims.second]) await activateTestSim(quick, sim)
  await adapterOf(quick).place(plan('P-1'))
  await outcomeOf(quick, 'P-1')
  await quick.close()
  const { place } = adapterOf(await startNetwork({ dataDir, stepMs: 60_000 }))
  const orders: NetworkOrder[] = [
    activation('A-1', sims.failsOnce),
    plan('P-2'),
    addon('O-1'),
    { ...sims.ok, externalId: 'R-1', kind: 'remove_plan', addedBy: 'P-1' },
    { ...sims.second, externalId: 'D-1', kind: 'deactivate_sim' },
  ]
  for (const order of orders) expect([order.kind, await place(order)]).toEqual([order.kind, running])
})

test('removes only the plan or add-on that was added by the specified order', async () => {
  const network = await startNetwork()
  const { place } = adapterOf(network)
  await place(activation('A-1'))
  await outcomeOf(network, 'A-1')
  for (const order of [plan('P-1'), plan('P-2'), addon('O-1')]) {
    await place(order)
    await outcomeOf(network, order.externalId)
  }
  const remove = (externalId: string, kind: 'remove_plan' | 'remove_addon', addedBy: string): NetworkOrder => ({
    ...sims.ok,
    externalId,
    kind,
    addedBy,
  })
  expect(await place(remove('R-0', 'remove_plan', 'O-1'))).toMatchObject({
    outcome: 'rejected',
    code: 'UNKNOWN_PRODUCT',
  })
  await place(remove('R-1', 'remove_plan', 'P-1'))
  await place(remove('R-2', 'remove_addon', 'O-1'))
  for (const id of ['R-1', 'R-2']) expect(await outcomeOf(network, id)).toEqual(completed)
  expect(await place(remove('R-1', 'remove_plan', 'P-1'))).toEqual(completed)
  expect(await place(remove('R-3', 'remove_plan', 'P-1'))).toMatchObject({
    outcome: 'rejected',
    code: 'UNKNOWN_PRODUCT',
  })
  const [line] = (await (await fetch(`${network.url}/_simulator/lines`)).json()) as {
    plans: { sku: string }[]
    addons: unknown[]
  }[]
  expect(line).toMatchObject({ plans: [{ sku: 'plan-30' }], addons: [] })
})

test('repeating an order returns the original order, and reading an order that was never placed returns `absent`', async () => {
  const network = await startNetwork()
  const { place, read } = adapterOf(network)
  expect(await read('A-1')).toEqual({ outcome: 'absent' })
  await Promise.all([place(activation('A-1')), place(activation('A-1')), place(activation('A-1'))])
  await outcomeOf(network, 'A-1')
  expect(await place(activation('A-1'))).toEqual(completed)
  expect(network.ledger()).toHaveLength(1)
})

test.each([
  ['a lost response', 'lost_answer', 1],
  ['HTTP 500', 'error_500', 0],
  ['no response at all', 'timeout', 0],
  ['a late response', 'slow', 1],
] as const)(
  'after %s, an order’s outcome is unknown, and a repeat activates the SIM only once',
  async (_, kind, ordersBefore) => {
    const network = await startNetwork()
    const { place, read } = adapterOf(network)
    network.fail({ operation: 'activate', kind })
    expect(await adapterOf(network, 1_000).place(activation('A-1'))).toEqual({
      outcome: 'unknown',
      why: expect.any(String),
    })
    expect(network.ledger()).toHaveLength(ordersBefore)
    expect(await read('A-1')).toMatchObject(ordersBefore === 0 ? { outcome: 'absent' } : { outcome: 'known' })
    expect(await place(activation('A-1'))).toMatchObject({ outcome: 'known' })
    expect(await outcomeOf(network, 'A-1')).toEqual(completed)
    expect(network.ledger()).toHaveLength(1)
  },
)

test('if a request for an order’s state gets no response, the order’s outcome is unknown, never absent', async () => {
  const network = await startNetwork()
  const { read, place } = adapterOf(network)
  await place(activation('A-1'))
  for (const kind of ['lost_answer', 'error_500', 'timeout'] as const) {
    network.fail({ operation: 'read', kind })
    expect(await adapterOf(network, 1_000).read('A-1')).toMatchObject({ outcome: 'unknown' })
  }
  expect(await read('A-1')).toMatchObject({ outcome: 'known' })
  await network.close()
  expect(await read('A-1')).toMatchObject({ outcome: 'unknown', why: expect.stringContaining('no answer') })
})

test('ordering again succeeds for a SIM that failed temporarily, and fails for a SIM that always fails', async () => {
  const network = await startNetwork()
  const { place } = adapterOf(network)
  await place(activation('F-1', sims.failsOnce))
  expect(await outcomeOf(network, 'F-1')).toMatchObject({
    state: 'failed',
    fault: { code: 'NETWORK_BUSY', message: expect.any(String), retryable: true },
  })
  expect(await place(activation('F-1', sims.failsOnce))).toMatchObject({ state: 'failed' })
  await place(activation('F-2', sims.failsOnce))
  expect(await outcomeOf(network, 'F-2')).toEqual(completed)

  for (const externalId of ['G-1', 'G-2']) {
    await place(activation(externalId, sims.failsAlways))
    expect(await outcomeOf(network, externalId)).toMatchObject({
      state: 'failed',
      fault: { code: 'SIM_BLOCKED', retryable: false },
    })
  }
})

test('a simulated failure makes the next order of that kind fail, and the mapping says which error codes can be retried', async () => {
  const network = await startNetwork()
  const { place } = adapterOf(network)
  await place(activation('A-1'))
  await outcomeOf(network, 'A-1')
  network.fail({ operation: 'add_plan', kind: 'fail_retryable' })
  network.fail({ operation: 'any', kind: 'fail_permanent' })
  await place(plan('P-1'))
  await place(addon('O-1'))
  await place(plan('P-2'))
  expect(await outcomeOf(network, 'P-1')).toMatchObject({ state: 'failed', fault: { retryable: true } })
  expect(await outcomeOf(network, 'O-1')).toMatchObject({
    state: 'failed',
    fault: { code: 'PROVISIONING_REFUSED', retryable: false },
  })
  expect(await outcomeOf(network, 'P-2')).toEqual(completed)
  const mapping = v.parse(networkMappingSchema, { errors: { retryable: ['PROVISIONING_REFUSED'] } })
  const bolder = createMobileNetwork({ baseUrl: `${network.url}/`, timeoutMs: 5_000, mapping })
  expect(await bolder.read('O-1')).toMatchObject({ fault: { retryable: true } })
  expect(await bolder.read('P-1')).toMatchObject({ fault: { retryable: false } })
})

test('an order for a slow SIM is still running when other orders have finished', async () => {
  const network = await startNetwork({ slowStepMs: 60_000 })
  const { place, read } = adapterOf(network)
  await place(activation('S-1', sims.slow))
  await place(activation('A-1'))
  expect(await outcomeOf(network, 'A-1')).toEqual(completed)
  expect(await read('S-1')).toEqual(running)
})

test('the network rejects an order that it cannot carry out, and does not store it', async () => {
  const network = await startNetwork()
  const { place, read } = adapterOf(network)
  expect(await place(plan('P-1'))).toEqual({
    outcome: 'rejected',
    code: 'SIM_NOT_ACTIVE',
    meaning: 'nothing_there',
    message: 'The SIM is not active.',
  })
  expect(await place(activation('A-0', { ...sims.ok, iccid: '8964019999999999999' }))).toMatchObject({
    outcome: 'rejected',
    code: 'UNKNOWN_SIM',
  })
  await place(activation('A-1'))
  expect(await place(activation('A-2'))).toMatchObject({ outcome: 'rejected', code: expect.stringMatching(/^SIM_/) })
  expect(await read('A-2')).toEqual({ outcome: 'absent' })
  expect(network.ledger()).toHaveLength(1)
})

test('a number transfer passes through its sub-states, and its status follows', async () => {
  const network = await startNetwork({ portDelayMs: 3_600_000 })
  const { place, read } = adapterOf(network)
  await place(activation('A-1'))
  await outcomeOf(network, 'A-1')
  expect(await place(portIn('X-1', ports.fails))).toEqual({
    ...running,
    subState: 'draft',
    milestones: [{ subState: 'draft', at: expect.stringMatching(/^\d{4}-.*Z$/) }],
  })
  const hour = 3_600_000
  let hours = 0
  const after = async (more: number, externalId: string) => {
    network.setClockOffset((hours += more) * hour)
    const answer = await read(externalId)
    if (answer.outcome !== 'known') throw new Error(answer.outcome)
    return [answer.subState, getPortOrderStatus(answer), answer.fault?.code ?? null]
  }
  expect(await after(0.25, 'X-1')).toEqual(['requested', portStatus.NEW, null])
  expect(await after(1.75, 'X-1')).toEqual(['declined', portStatus.FAILED, 'DONOR_ACCOUNT_MISMATCH'])

  await place(portIn('X-2', ports.completes))
  expect(await after(0.5, 'X-2')).toEqual(['awaitingCustomerReply', portStatus.SUBMITTED, null])
  expect(await after(3.5, 'X-2')).toEqual(['completed', portStatus.COMPLETED, null])
  const endings = [
    [ports.expires, 'expired', 'NO_CUSTOMER_REPLY'],
    [ports.cancelled, 'cancelled', 'CUSTOMER_SAID_NO'],
  ] as const
  for (const [msisdn, subState, code] of endings) {
    await place(portIn(msisdn, msisdn))
    expect(await after(4, msisdn)).toEqual([subState, portStatus.FAILED, code])
  }
})

test('a number transfer in real time completes by itself', async () => {
  const network = await startNetwork()
  const { place } = adapterOf(network)
  await place(activation('A-1'))
  await outcomeOf(network, 'A-1')
  await place({
    externalId: 'X-1',
    kind: 'port_in',
    ...sims.ok,
    portingMsisdn: '+64220000099',
    donorProviderId: 'spark',
    billingMethod: 'account',
    donorAccountNumber: 'A7',
  })
  expect(await outcomeOf(network, 'X-1')).toEqual({
    ...completed,
    subState: 'completed',
    milestones: ['draft', 'requested', 'awaitingCustomerReply', 'confirmed', 'inProgress', 'completed'].map(
      (subState) => ({
        subState,
        at: expect.any(String),
      }),
    ),
  })
})

test('subscribing repeatedly creates one subscription, and every event names its order', async () => {
  const network = await startNetwork()
  const { place, subscribe } = adapterOf(network)
  const subscriber = await startEventReceiver()
  await subscribe(subscriber.url)
  await subscribe(subscriber.url)
  network.setEventMode('duplicate')
  await place(activation('A-1'))
  await vi.waitFor(() => expect(subscriber.events).toHaveLength(6), 30_000)
  const read = subscriber.events.map(readEvent)
  expect(read.every((event) => event?.externalId === 'A-1')).toBe(true)
  expect(new Set(read.map((event) => event?.eventId)).size).toBe(3)

  network.setEventMode('hold')
  await place(activation('A-2', sims.second))
  await waitForState(network, 'A-2', 'completed')
  expect(subscriber.events).toHaveLength(6)
  expect(network.releaseEvents()).toBe(3)
  await vi.waitFor(() => expect(subscriber.events).toHaveLength(9), 30_000)
  await expect(subscribe('nowhere')).rejects.toThrow('HTTP 400')
  await network.close()
  await expect(subscribe(subscriber.url)).rejects.toThrow('no answer')
})

test('an order placed before the network restarts is completed afterwards', async () => {
  const dataDir = await makeDataDir()
  const first = await startNetwork({ dataDir, stepMs: 2_000 })
  expect(await adapterOf(first).place(activation('A-1'))).toEqual(running)
  await first.close()
  const second = await startNetwork({ dataDir, stepMs: 2_000 })
  expect(await outcomeOf(second, 'A-1')).toEqual(completed)
  expect(await adapterOf(second).place(activation('A-1'))).toEqual(completed)
  expect(second.ledger()).toEqual([{ external_id: 'A-1', action: 'activate', state: 'completed' }])
})
