import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ports, sims, startNetwork } from '#simulators/network/test-network.ts'
import type { NetworkSimulator } from '#simulators/network/simulator.ts'
import { createMobileNetwork } from './tmf.ts'

const hour = 3_600_000
const askedAt = '2026-11-23T09:30:15.250Z'
const asking = { externalId: 'X-1', askedAt }

const adapterOf = ({ url }: NetworkSimulator, timeoutMs = 30_000) => createMobileNetwork({ baseUrl: url, timeoutMs })

async function portUnderWay() {
  const network = await startNetwork({ portDelayMs: 24 * hour })
  const adapter = adapterOf(network)
  await adapter.place({ externalId: 'A-1', kind: 'activate_sim', ...sims.ok })
  await vi.waitFor(async () => expect(await adapter.read('A-1')).toMatchObject({ state: 'completed' }), 30_000)
  await adapter.place({
    externalId: 'X-1',
    kind: 'port_in',
    ...sims.ok,
    portingMsisdn: ports.completes,
    donorProviderId: 'skinny',
    billingMethod: 'prepay',
    donorIccid: '8964050000000000',
  })
  return { network, ...adapter }
}

const decided = (cancel: ReturnType<typeof createMobileNetwork>['cancel'], by = asking) =>
  vi.waitFor(async () => {
    const answer = await cancel(by)
    expect(answer.outcome).not.toBe('undecided')
    return answer
  }, 30_000)

const tasksOf = async ({ url }: NetworkSimulator): Promise<{ requestedCancellationDate: string }[]> =>
  (await fetch(`${url}/tmf-api/serviceOrdering/v4/cancelServiceOrder`)).json()

test('a number transfer is cancelled by a single task, however often the cancellation is repeated', async () => {
  const { network, cancel, read } = await portUnderWay()
  expect(await cancel(asking)).toEqual({ outcome: 'undecided' })
  expect(await decided(cancel)).toEqual({ outcome: 'cancelled' })
  expect(await cancel(asking)).toEqual({ outcome: 'cancelled' })
  expect(await tasksOf(network)).toMatchObject([{ requestedCancellationDate: askedAt }])
  expect(await read('X-1')).toMatchObject({
    state: 'failed',
    subState: 'cancelled',
    fault: { code: 'CANCELLED_ON_REQUEST' },
  })
})

test('repeating a rejected request to cancel a number transfer returns the rejection, and a new request creates a new task', async () => {
  const { network, cancel } = await portUnderWay()
  network.fail({ operation: 'cancel', kind: 'fail_permanent' })
  expect(await decided(cancel)).toMatchObject({ outcome: 'refused', code: 'PROVISIONING_REFUSED' })
  expect(await cancel(asking)).toMatchObject({ outcome: 'refused' })
  network.setClockOffset(0.4 * 4 * hour)
  const anew = { ...asking, askedAt: '2026-11-23T09:31:00.000Z' }
  expect(await decided(cancel, anew)).toEqual({
    outcome: 'refused',
    code: 'CANCEL_TOO_LATE',
    message: 'The port is confirmed and can no longer be cancelled.',
  })
  expect(await tasksOf(network)).toHaveLength(2)
})

test('a cancellation that the network rejected because it was busy is tried again', async () => {
  const { network, cancel } = await portUnderWay()
  network.fail({ operation: 'cancel', kind: 'fail_retryable' })
  expect(await decided(cancel)).toEqual({ outcome: 'cancelled' })
  expect(await tasksOf(network)).toHaveLength(2)
})

test('cancelling a completed number transfer reports its state, and an unknown transfer is reported as absent', async () => {
  const { network, cancel } = await portUnderWay()
  network.setClockOffset(4 * hour)
  expect(await cancel(asking)).toMatchObject({
    outcome: 'known',
    state: 'completed',
    subState: 'completed',
    fault: null,
  })
  expect(await cancel({ ...asking, externalId: 'X-9' })).toEqual({ outcome: 'absent' })
  expect(await tasksOf(network)).toEqual([])
})

test('a number transfer that the number’s owner declined is not reported as cancelled by us', async () => {
  const { network, place, cancel } = await portUnderWay()
  network.setClockOffset(4 * hour)
  await place({
    externalId: 'X-2',
    kind: 'port_in',
    ...sims.ok,
    portingMsisdn: ports.cancelled,
    donorProviderId: 'skinny',
    billingMethod: 'account',
    donorAccountNumber: 'A7',
  })
  network.setClockOffset(8 * hour)
  expect(await cancel({ ...asking, externalId: 'X-2' })).toMatchObject({
    state: 'failed',
    fault: { code: 'CUSTOMER_SAID_NO' },
  })
})

test.each([
  ['a lost response', 'lost_answer', 1],
  ['HTTP 500', 'error_500', 0],
  ['no response at all', 'timeout', 0],
  ['a late response', 'slow', 1],
] as const)(
  'the outcome of cancelling a number transfer is unknown after %s, and a repeat finds or creates one task',
  async (_, kind, tasksBefore) => {
    const { network, cancel: wait } = await portUnderWay()
    const { cancel } = adapterOf(network, 300)
    network.fail({ operation: 'cancel', kind })
    expect(await cancel(asking)).toEqual({ outcome: 'unknown', why: expect.any(String) })
    expect(await tasksOf(network)).toHaveLength(tasksBefore)
    expect(await decided(wait)).toEqual({ outcome: 'cancelled' })
    expect(await tasksOf(network)).toHaveLength(1)
  },
)

test('the outcome of cancelling a number transfer is unknown if its order cannot be read', async () => {
  const { network, cancel } = await portUnderWay()
  network.fail({ operation: 'read', kind: 'error_500' })
  expect(await cancel(asking)).toMatchObject({ outcome: 'unknown' })
  await network.close()
  expect(await cancel(asking)).toMatchObject({ outcome: 'unknown', why: expect.stringContaining('no answer') })
})

type Script = { order?: object; tasks?: unknown; placed?: [status: number, body: object] }

async function networkThatAnswers({
  order = {},
  tasks = [],
  placed = [201, { id: 'T', state: 'acknowledged' }],
}: Script) {
  const asked: unknown[] = []
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    if (request.url?.includes('/serviceOrder?'))
      return answer(200, [{ id: '1', externalId: 'X-1', state: 'inProgress', ...order }])
    if (request.method === 'GET') return answer(200, tasks)
    asked.push(await json(request))
    return answer(...placed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { ...createMobileNetwork({ baseUrl, timeoutMs: 5_000 }), asked }
}

const task = (state: string, more: object = {}) => ({
  state,
  serviceOrder: { id: '1' },
  requestedCancellationDate: askedAt,
  ...more,
})

test('the cancellation task refers to the order by the network’s own id', async () => {
  const { cancel, asked } = await networkThatAnswers({})
  expect(await cancel(asking)).toEqual({ outcome: 'undecided' })
  expect(asked).toEqual([
    {
      cancellationReason: 'Requested by the customer',
      requestedCancellationDate: askedAt,
      serviceOrder: { id: '1', '@referredType': 'ServiceOrder' },
    },
  ])
})

test.each([
  ['of another order', { serviceOrder: { id: '2' } }, 1],
  ['of an earlier request', { requestedCancellationDate: '2026-11-23T09:30:14.250Z' }, 1],
  ['with no date', { requestedCancellationDate: undefined }, 0],
  ['with a date in whole seconds', { requestedCancellationDate: '2026-11-23T09:30:15Z' }, 0],
  ['with its date in another zone', { requestedCancellationDate: '2026-11-23T22:30:15.250+13:00' }, 0],
])(
  'a cancellation uses an existing task for the same order and date, or otherwise creates one: a task %s',
  async (_, more, placed) => {
    const { cancel, asked } = await networkThatAnswers({ tasks: [task('inProgress', more)] })
    expect(await cancel(asking)).toEqual({ outcome: 'undecided' })
    expect(asked).toHaveLength(placed)
  },
)

test.each([
  ['a completed task for an order that is still running', { tasks: [task('done')] }, { outcome: 'undecided' }],
  [
    'a task that was refused in a message only',
    { tasks: [task('terminatedWithError', { completionMessage: 'PoNR' })] },
    { outcome: 'refused', code: 'terminatedWithError', message: 'PoNR' },
  ],
  [
    'a refused task and another task that was not refused',
    { tasks: [task('acknowledged'), task('terminatedWithError')] },
    { outcome: 'undecided' },
  ],
  [
    'an order that is being cancelled',
    { order: { state: 'pendingCancellation' }, tasks: [task('inProgress')] },
    { outcome: 'undecided' },
  ],
  [
    'an order that is cancelled while its task lags',
    { order: { state: 'cancelled' }, tasks: [task('inProgress')] },
    { outcome: 'cancelled' },
  ],
  [
    'a refusal of the request',
    { placed: [409, { code: 60, reason: 'No.' }] },
    { outcome: 'refused', code: '60', message: 'No.' },
  ],
  ['a temporary refusal', { placed: [409, { code: 'NETWORK_BUSY', reason: 'Later.' }] }, { outcome: 'unknown' }],
  ['rejected credentials', { placed: [401, { code: 'NO', reason: 'No.' }] }, { outcome: 'unknown' }],
  ['a success without a task', { placed: [200, { ok: true }] }, { outcome: 'unknown' }],
  ['tasks that are not a list', { tasks: { code: 'NO' } }, { outcome: 'unknown' }],
  ['an order in an unknown state', { order: { state: 'constructor' } }, { outcome: 'unknown' }],
] satisfies [string, Script, object][])(
  'the outcome of a cancellation follows the network’s response: %s',
  async (_, script, outcome) => {
    const { cancel } = await networkThatAnswers(script)
    expect(await cancel(asking)).toMatchObject(outcome)
  },
)
