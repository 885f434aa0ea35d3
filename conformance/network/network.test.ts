import { readFileSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type NetworkSimulator, startNetworkSimulator } from '#simulators/network/simulator.ts'
import { findFreePort, runConformance, type ConformanceOptions } from '#quality/support/run-conformance.ts'
import { type Deviation, mapStrings, startDeviatingProxy } from '#quality/support/deviating-proxy.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { pollUntil } from '#quality/support/poll-until.ts'

const sim = { iccid: '8964010000000000011', msisdn: '+64210000001' }
const usedSim = { iccid: '8964010000000000029', msisdn: '+64210000002' }
const otherSim = { iccid: '8964010000000000037', msisdn: '+64210000003' }
const account = { donor_provider_id: 'skinny', billing_method: 'account', donor_account_number: 'A7' }

let dataDir: string
let network: NetworkSimulator
let port: number

beforeEach(async () => {
  dataDir = createDataFolder('conformance-network-')
  port = await findFreePort()
  network = await startNetworkSimulator({
    port: 0,
    dataDir,
    stepMs: 10,
    portDelayMs: 400,
    access: { demand: { kind: 'header', header: 'Authorization', value: 'Bearer key' } },
  })
  network.seed({
    sims: [sim, usedSim, otherSim].map((each) => ({ ...each, habits: 'none' })),
    ports: [
      { msisdn: '64220000001', behaviour: 'waits_for_reply' },
      { msisdn: '64220000002', behaviour: 'fails' },
      { msisdn: '64220000003', behaviour: 'completes' },
    ],
    products: [
      { sku: 'PLAN', kind: 'plan', lengthDays: 30, dataMb: 1000, voiceMinutes: 10, messages: 10 },
      { sku: 'ADDON', kind: 'addon', lengthDays: 30, dataMb: 1000, voiceMinutes: 0, messages: 0 },
    ],
  })
  await useLines()
})
afterEach(async () => {
  await network.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const post = (path: string, body: unknown) =>
  fetch(network.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer key' },
    body: JSON.stringify(body),
  })

const order = (externalId: string, specification: string, characteristics: object) =>
  post('/tmf-api/serviceOrdering/v4/serviceOrder', {
    externalId,
    serviceOrderItem: [
      {
        id: '1',
        action: 'add',
        service: {
          serviceSpecification: { id: specification },
          serviceCharacteristic: Object.entries(characteristics).map(([name, value]) => ({ name, value })),
        },
      },
    ],
  })

const isDone = (externalId: string): Promise<unknown> =>
  pollUntil(async () => network.ledger().find((line) => line.external_id === externalId)?.state === 'completed')

async function useLines(): Promise<void> {
  for (const each of [usedSim, otherSim]) {
    await order(`active-${each.iccid}`, 'mobileLine', each)
    await isDone(`active-${each.iccid}`)
    await order(`plan-${each.iccid}`, 'prepaidPlan', { ...each, sku: 'PLAN' })
    await isDone(`plan-${each.iccid}`)
    for (let count = 0; count < 7; count++)
      await post('/_simulator/uses', { iccid: each.iccid, type: 'sms', amount: 1, destination: '+64211234567' })
  }
  await post('/_simulator/lists', { most: 3 })
}

const fileFor = (url = network.url) => ({
  settings: { NETWORK_URL: url, NETWORK_AUTH: 'header', NETWORK_API_KEY: 'key' },
  sim,
  wrong_sim: { iccid: '8964019999999999999', msisdn: '+64219999999' },
  plan: 'PLAN',
  addon: 'ADDON',
  used_line: { msisdn: usedSim.msisdn, records: 7 },
  ports: {
    cancelled: { ...account, msisdn: '+64220000001' },
    declined: { ...account, msisdn: '+64220000002' },
    completes: { ...account, msisdn: '+64220000003' },
  },
  listen: { port, seconds: 10 },
  order_seconds: 20,
  port_seconds: 30,
})

const run = (file: object = fileFor(), more: ConformanceOptions = {}) => runConformance('network', file, more)

async function left(): Promise<unknown[]> {
  const lines = (await (await fetch(`${network.url}/_simulator/lines`)).json()) as { iccid: string }[]
  return lines.filter(({ iccid }) => iccid === sim.iccid)
}

test('the network simulator passes every conformance step, and the run leaves no test phone service behind', async () => {
  const { code, steps, end } = await run()
  expect(steps.filter(({ verdict }) => verdict !== 'passed')).toEqual([])
  expect(steps.length).toBeGreaterThan(18)
  expect(end).toMatchObject({ differs: 0, skipped: 0, left: [], interrupted: false })
  expect(code).toBe(0)
  expect(await left()).toEqual([])
  const own = network.ledger().filter(({ external_id: id }) => !/^(?:active|plan)-/.test(id ?? ''))
  expect(own.every(({ external_id: id }) => id?.startsWith('CONF-'))).toBe(true)
})

test('a network with a different API dialect passes the suite with the mapping from docs/network.json', async () => {
  const mapping = readFileSync('docs/network.json', 'utf8')
  await network.close()
  network = await startNetworkSimulator({ port: 0, dataDir, stepMs: 10, portDelayMs: 400, dialect: 'tasman' })
  const settings = { NETWORK_URL: network.url }
  const { code, steps } = await run(
    { ...fileFor(), settings, mapping: 'network.json' },
    { beside: { 'network.json': mapping } },
  )
  expect(steps.filter(({ verdict }) => verdict === 'differs')).toEqual([])
  expect(steps.filter(({ verdict }) => verdict === 'skipped').map(({ step }) => step)).toEqual(['wrong-key'])
  expect(code).toBe(0)
  expect(await left()).toEqual([])
})

const isOrder = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && path.endsWith('/serviceOrder')

let repeats: Map<string, number>

const otherWords = (from: string, to: string): Deviation => ({
  answer: (_call, answer) => ({ ...answer, body: mapStrings(answer.body, (text) => (text === from ? to : text)) }),
})

/** Replaces the state in responses to new orders. Later reads are left unchanged, because the order may have moved on by then. */
function stateOfOrders(state: string): Deviation {
  return {
    answer: (call, answer) => (isOrder(call) ? { ...answer, body: { ...(answer.body as object), state } } : answer),
  }
}

const otherPortState = (from: string, to: string): Deviation => ({
  answer(_call, answer) {
    const name = '"name":"portInState","value":'
    const text = JSON.stringify(answer.body).replaceAll(`${name}"${from}"`, `${name}"${to}"`)
    return { ...answer, body: JSON.parse(text) }
  },
})

const deviations: [what: string, steps: string[], deviation: Deviation][] = [
  [
    'accepts callers without valid credentials',
    ['wrong-key'],
    { call: (call) => ({ ...call, headers: { ...call.headers, authorization: 'Bearer key' } }) },
  ],
  [
    'answers 404 for an unknown order',
    ['never-seen'],
    {
      answer: (call, answer) =>
        call.path.includes('serviceOrder?') && JSON.stringify(answer.body) === '[]'
          ? { status: 404, headers: {}, body: { code: '404', reason: 'Not found' } }
          : answer,
    },
  ],
  [
    'rejects orders with an HTML page',
    ['wrong-sim'],
    {
      answer: (call, answer) =>
        isOrder(call) && JSON.stringify(call.body).includes('8964019999999999999')
          ? { status: 404, headers: {}, body: '<h1>Not found</h1>' }
          : answer,
    },
  ],
  [
    'treats a repeat as a separate order',
    ['repeat'],
    {
      call(call) {
        const { externalId } = (call.body ?? {}) as { externalId?: string }
        if (!isOrder(call) || !externalId) return call
        const times = repeats.get(externalId) ?? 0
        repeats.set(externalId, times + 1)
        return times === 0
          ? call
          : { ...call, body: { ...(call.body as object), externalId: `${externalId}-${times}` } }
      },
    },
  ],
  ['uses an order state of its own', ['activate'], stateOfOrders('accepted')],
  ['uses a usage type of its own', ['usage'], otherWords('sms', 'message')],
  [
    'always answers the first page',
    ['usage'],
    { call: (call) => ({ ...call, path: call.path.replace(/offset=\d+/, 'offset=0') }) },
  ],
  ['uses a decline code of its own', ['port-declined'], otherWords('DONOR_ACCOUNT_MISMATCH', 'NP-17')],
  // The transfer's final state is replaced, because earlier states may have passed before the suite reads them.
  ['uses a transfer state of its own', ['port'], otherPortState('completed', 'arrived')],
  [
    'uses an error code of its own for a missing product',
    ['remove-add-on', 'remove-plan'],
    otherWords('UNKNOWN_PRODUCT', 'NO_SUCH_PRODUCT'),
  ],
]

test.each(deviations)(
  'a network that %s fails exactly these conformance steps: %j',
  async (_what, steps, deviation) => {
    repeats = new Map()
    const deviant = await startDeviatingProxy(network.url, deviation)
    const file = fileFor(deviant.url)
    // Number transfers take a long time, so only the cases about transfers include them.
    const isAboutPorts = steps.some((step) => step.startsWith('port'))
    const { code, differs, steps: all } = await run(isAboutPorts ? file : { ...file, ports: {} })
    await deviant.close()
    expect(differs).toEqual(steps)
    expect(all.filter(({ verdict }) => verdict === 'differs').every(({ matters }) => matters !== null)).toBe(true)
    expect(code).toBe(1)
  },
)

test('a network that ignores filters fails the conformance steps about filters', async () => {
  await post('/_simulator/lists', { ignore_filters: true })
  const { differs, code } = await run({ ...fileFor(), ports: {} })
  expect(differs).toEqual(expect.arrayContaining(['never-seen', 'balance-filter', 'usage-filter']))
  expect(code).toBe(1)
})

test('a network that sends no events and cannot cancel number transfers fails the conformance steps about these', async () => {
  network.setEventMode('drop')
  network.fail({ operation: 'cancel', kind: 'fail_permanent', times: 20 })
  const { differs, end } = await run({ ...fileFor(), listen: { port, seconds: 0.5 } })
  expect(differs).toEqual(['port-cancel', 'events'])
  expect(end?.left).toEqual([
    { what: expect.stringMatching(/^port_in CONF-/), why: expect.stringMatching(/refused/) },
    { what: expect.stringMatching(/^activate_sim CONF-/), why: expect.stringMatching(/ORDER_IN_PROGRESS/) },
  ])
})
