import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { expect, onTestFinished, vi } from 'vitest'
import type { NetworkEvent } from './deliveries.ts'
import { orderingBase } from './present-order.ts'
import type { LedgerLine } from './orders.ts'
import { startNetworkSimulator } from './simulator.ts'
import type { NetworkSimulator, NetworkSimulatorOptions } from './simulator.ts'

export async function startNetwork(options: Partial<NetworkSimulatorOptions> = {}): Promise<NetworkSimulator> {
  const dataDir = options.dataDir ?? (await makeDataDir())
  const fastOptions = { port: 0, stepMs: 20, slowStepMs: 300, portDelayMs: 200 }
  const network = await startNetworkSimulator({ ...fastOptions, ...options, dataDir })
  onTestFinished(() => network.close())
  network.seed({
    sims: [
      sims.ok,
      sims.second,
      { ...sims.failsOnce, behaviour: 'fails_once' },
      { ...sims.failsAlways, behaviour: 'fails_always' },
      { ...sims.slow, behaviour: 'slow' },
    ],
    ports: [
      { msisdn: ports.completes, behaviour: 'completes' },
      { msisdn: ports.fails, behaviour: 'fails' },
      { msisdn: ports.expires, behaviour: 'expires' },
      { msisdn: ports.cancelled, behaviour: 'cancelled' },
      { msisdn: ports.needsInformation, behaviour: 'needs_information' },
    ],
  })
  return network
}

export async function makeDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'network-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  return dataDir
}

export const sims = {
  ok: { iccid: '8964010000000000011', msisdn: '64210000001' },
  second: { iccid: '8964010000000000029', msisdn: '64210000002' },
  failsOnce: { iccid: '8964010000000000037', msisdn: '64210000003' },
  failsAlways: { iccid: '8964010000000000045', msisdn: '64210000004' },
  slow: { iccid: '8964010000000000052', msisdn: '64210000005' },
}

export const ports = {
  completes: '64220000001',
  fails: '64220000002',
  expires: '64220000003',
  cancelled: '64220000004',
  needsInformation: '64220000005',
}

export function createClient({ url }: { url: string }) {
  async function call(method: string, path: string, body?: unknown) {
    const response = await fetch(path.startsWith('http') ? path : url + path, {
      method,
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
  }
  return {
    call,
    read: (path: string) => call('GET', path),
    place: (order: unknown) => call('POST', `${orderingBase}/serviceOrder`, order),
    subscribe: (callback: string, query?: string) => call('POST', `${orderingBase}/hub`, { callback, query }),
  }
}

export function serviceOrder(externalId: string, action: string, specification: string, characteristics: object) {
  const serviceCharacteristic = Object.entries(characteristics).map(([name, value]) => ({ name, value }))
  const service = { serviceSpecification: { id: specification }, serviceCharacteristic }
  return { externalId, serviceOrderItem: [{ id: '1', action, service }] }
}

type SimPack = { iccid: string; msisdn: string }

export const createActivationOrder = (externalId: string, pack: SimPack = sims.ok) =>
  serviceOrder(externalId, 'add', 'mobileLine', pack)

export const createPortInOrder = (externalId: string, msisdn: string, { iccid }: SimPack = sims.ok) =>
  serviceOrder(externalId, 'add', 'numberPortIn', {
    iccid,
    msisdn,
    donorProviderId: 'skinny',
    billingMethod: 'account',
    donorAccountNumber: 'A7',
  })

export async function activateTestSim(network: NetworkSimulator, pack: SimPack = sims.ok): Promise<void> {
  const externalId = `activate-${pack.iccid}`
  await createClient(network).place(createActivationOrder(externalId, pack))
  await waitForState(network, externalId, 'completed')
}

export async function waitForState({ ledger }: NetworkSimulator, externalId: string, state: LedgerLine['state']) {
  await vi.waitFor(() => {
    expect(ledger().find((line) => line.external_id === externalId)?.state).toBe(state)
  }, 30_000)
}

export async function startEventReceiver({ turnAway = 0 } = {}) {
  const events: NetworkEvent[] = []
  let turnedAway = 0
  const server = createServer(async (request, response) => {
    const event = (await json(request)) as NetworkEvent
    if (turnedAway < turnAway) {
      turnedAway += 1
      response.writeHead(500).end()
      return
    }
    events.push(event)
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`, events }
}
