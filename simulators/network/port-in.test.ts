import { expect, test } from 'vitest'
import { activateTestSim, createClient, createPortInOrder, startNetwork } from './test-network.ts'
import { portClockDurationMs, buildPortTimeline } from './port-in.ts'
import { orderingBase } from './present-order.ts'
import { isEndState, portBehaviours } from './state.ts'

const byItself = portBehaviours.filter((behaviour) => behaviour !== 'played')

test.each(byItself)('a simulated transfer of the kind %s progresses over time and ends exactly once', (behaviour) => {
  const timeline = buildPortTimeline(behaviour, 6_000)
  const times = timeline.map(({ afterMs }) => afterMs)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(timeline.map(({ state }) => isEndState(state))).toEqual([...timeline.slice(1).map(() => false), true])
})

test('a simulated number transfer completes after its delay in real time, or after four hours on the simulator’s clock', () => {
  expect(buildPortTimeline('completes', 6_000).at(-1)).toEqual({
    afterMs: 6_000,
    afterClockMs: portClockDurationMs,
    state: 'completed',
    portState: 'completed',
    fault: null,
  })
})

test.each([
  ['waits_for_reply', 'awaitingCustomerReply'],
  ['waits_for_donor', 'confirmed'],
] as const)(
  'a simulated transfer of the kind %s stays %s in real time, and completes once the simulator’s clock moves on',
  (behaviour, portState) => {
    const timeline = buildPortTimeline(behaviour, 6_000)
    expect(timeline.filter(({ afterMs }) => afterMs <= 6_000).at(-1)?.portState).toBe(portState)
    expect(timeline.at(-1)).toMatchObject({ portState: 'completed', afterClockMs: portClockDurationMs })
  },
)

test('a number transfer that fails does not report a reason before its final state', () => {
  for (const behaviour of ['fails', 'expires', 'cancelled'] as const) {
    const faults = buildPortTimeline(behaviour, 6_000).map(({ fault }) => fault?.code)
    expect(faults.slice(0, -1).every((code) => code === undefined)).toBe(true)
    expect(faults.at(-1)).toMatch(/^[A-Z_]+$/)
  }
})

test('a number transfer controlled by a test moves only to the states that the test requests', async () => {
  const msisdn = '64220000042'
  const network = await startNetwork()
  network.seed({ ports: [{ msisdn, behaviour: 'played' }] })
  await activateTestSim(network)
  const { call, place, read } = createClient(network)
  const play = (state: string, more: object = {}) => call('POST', '/_simulator/ports/play', { msisdn, state, ...more })
  expect((await play('requested')).status).toBe(404)
  const { id } = (await place(createPortInOrder('X-1', msisdn))).body
  network.setClockOffset(24 * 3_600_000)
  const now = async () => (await read(`${orderingBase}/serviceOrder/${id}`)).body
  expect((await now()).milestone).toHaveLength(1)
  const states = ['requested', 'informationRequired', 'requested', 'awaitingCustomerReply', 'confirmed', 'inProgress']
  for (const state of states) expect((await play(state)).status).toBe(204)
  expect((await now()).milestone.map(({ name }: { name: string }) => name)).toEqual(['draft', ...states])
  expect(await now()).toMatchObject({ state: 'inProgress', errorMessage: [] })
  expect((await play('declined', { code: 'NUMBER_NOT_ACTIVE' })).status).toBe(204)
  expect(await now()).toMatchObject({ state: 'failed', errorMessage: [{ code: 'NUMBER_NOT_ACTIVE' }] })
  expect((await play('completed')).status).toBe(404)
  expect((await play('nowhere')).status).toBe(400)
})

test('a number transfer stops progressing by itself once a test takes control of it', async () => {
  const msisdn = '64220000043'
  const network = await startNetwork({ portDelayMs: 3_600_000 })
  await activateTestSim(network)
  const { call, place, read } = createClient(network)
  const { id } = (await place(createPortInOrder('X-1', msisdn))).body
  await call('POST', '/_simulator/ports/play', { msisdn, state: 'awaitingCustomerReply' })
  network.setClockOffset(24 * 3_600_000)
  const now = async () => (await read(`${orderingBase}/serviceOrder/${id}`)).body
  expect((await now()).state).toBe('inProgress')
  await call('POST', '/_simulator/ports/play', { msisdn, state: 'expired' })
  expect(await now()).toMatchObject({ state: 'failed', errorMessage: [{ code: 'NO_CUSTOMER_REPLY' }] })
})
