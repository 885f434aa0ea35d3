import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test, vi } from 'vitest'
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
  startEventReceiver,
} from './test-network.ts'

const fourHours = 4 * 3_600_000

async function spawnNetwork(dataDir: string): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, STEP_MS: '200' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { url: line.slice(line.indexOf('http')), child }
}

test('orders that are in progress when the network simulator is killed still exist afterwards, and complete', async () => {
  const dataDir = await makeDataDir()
  const first = await spawnNetwork(dataDir)
  const before = createClient(first)
  await before.call('POST', '/_simulator/sims', [sims.ok, { ...sims.failsOnce, behaviour: 'fails_once' }])
  await before.call('PUT', '/_simulator/clock', { offset_ms: fourHours })
  await before.place(createActivationOrder('A-1', sims.ok))
  await before.place(createActivationOrder('F-1', sims.failsOnce))
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')

  const { call, place, read } = createClient(await spawnNetwork(dataDir))
  expect(await place(createActivationOrder('A-1', sims.ok))).toMatchObject({ status: 200 })
  await vi.waitFor(
    async () =>
      expect((await read('/_simulator/ledger')).body).toEqual([
        { external_id: 'A-1', action: 'activate', state: 'completed' },
        { external_id: 'F-1', action: 'activate', state: 'failed' },
      ]),
    30_000,
  )
  expect((await call('GET', '/_simulator/clock')).body.offset_ms).toBe(fourHours)
  await place(createActivationOrder('F-2', sims.failsOnce))
  await vi.waitFor(
    async () =>
      expect((await read('/_simulator/ledger')).body.at(-1)).toEqual({
        external_id: 'F-2',
        action: 'activate',
        state: 'completed',
      }),
    30_000,
  )
})

test('subscriptions and phone lines survive a restart, and importing the same SIM stock again writes nothing', async () => {
  const dataDir = await makeDataDir()
  const subscriber = await startEventReceiver()
  const first = await startNetwork({ dataDir })
  const before = createClient(first)
  await activateTestSim(first)
  await before.subscribe(subscriber.url)
  const lines = (await before.read('/_simulator/lines')).body
  await first.close()
  const journal = await readFile(join(dataDir, 'network.jsonl'), 'utf8')

  const { place, read } = createClient(await startNetwork({ dataDir }))
  expect(await readFile(join(dataDir, 'network.jsonl'), 'utf8')).toBe(journal)
  expect((await read('/_simulator/lines')).body).toEqual(lines)
  await place(serviceOrder('P-1', 'add', 'prepaidPlan', { ...sims.ok, sku: 'plan-30' }))
  await vi.waitFor(() => expect(subscriber.events).toHaveLength(3), 30_000)
  expect(subscriber.events.every(({ correlationId }) => correlationId === 'P-1')).toBe(true)
})

test('a number transfer ends once four hours have passed on the simulator’s clock, regardless of real time', async () => {
  const dataDir = await makeDataDir()
  const network = await startNetwork({ dataDir, portDelayMs: 3_600_000 })
  const { call, place } = createClient(network)
  const latest = () => network.ledger().at(-1)!.state
  await activateTestSim(network)
  await place(createPortInOrder('X-1', ports.expires))
  expect(await call('PUT', '/_simulator/clock', { offset_ms: fourHours / 2 })).toMatchObject({ status: 200 })
  expect(latest()).toBe('inProgress')
  network.setClockOffset(fourHours)
  expect(latest()).toBe('failed')

  await place(createPortInOrder('X-2', ports.completes))
  network.setClockOffset(2 * fourHours)
  expect(latest()).toBe('completed')

  await place(createPortInOrder('X-3', '64220000009'))
  await network.close()
  const later = await startNetwork({ dataDir, portDelayMs: 3_600_000 })
  expect(later.ledger().at(-1)!.state).toBe('acknowledged')
  later.setClockOffset(3 * fourHours)
  expect(later.ledger().at(-1)!.state).toBe('completed')
  expect((await createClient(later).read('/_simulator/lines')).body[0].msisdn).toBe('64220000009')
})

test('closing the network simulator a second time does no harm', async () => {
  const network = await startNetwork()
  await expect(Promise.all([network.close(), network.close()])).resolves.toBeDefined()
})
