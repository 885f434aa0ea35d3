import { expect, test, vi } from 'vitest'
import {
  activateTestSim,
  createActivationOrder,
  createClient,
  makeDataDir,
  createPortInOrder,
  ports,
  sims,
  startNetwork,
  startEventReceiver,
  waitForState,
} from './test-network.ts'
import { orderingBase } from './present-order.ts'
import type { NetworkSimulator } from './simulator.ts'

const hour = 3_600_000
const tasks = `${orderingBase}/cancelServiceOrder`
const requestedCancellationDate = '2030-01-01T00:00:00.000Z'

async function portUnderWay(options: Parameters<typeof startNetwork>[0] = {}, msisdn = ports.completes) {
  const network = await startNetwork({ portDelayMs: 24 * hour, ...options })
  await activateTestSim(network)
  const { body: order } = await createClient(network).place(createPortInOrder('X-1', msisdn))
  return { network, order }
}
const cancel = (network: NetworkSimulator, id: string) =>
  createClient(network).call('POST', tasks, {
    cancellationReason: 'requested by the customer',
    requestedCancellationDate,
    serviceOrder: { id },
  })

const endOf = ({ url }: NetworkSimulator, href: string) =>
  vi.waitFor(async () => {
    const { body } = await createClient({ url }).read(href)
    expect(body.state).not.toBe('accepted')
    return body
  }, 30_000)

test('an unconfirmed number transfer can be cancelled; its order then has dates and a reason, and subscribers are notified', async () => {
  const { network, order } = await portUnderWay()
  const subscriber = await startEventReceiver()
  await createClient(network).subscribe(subscriber.url)
  network.setClockOffset(0.1 * 4 * hour)
  const asked = await cancel(network, order.id)
  expect(asked).toMatchObject({
    status: 201,
    body: {
      state: 'accepted',
      requestedCancellationDate,
      serviceOrder: { id: order.id, href: order.href },
      '@type': 'CancelServiceOrder',
    },
  })
  expect(await endOf(network, asked.body.href)).toMatchObject({
    state: 'done',
    effectiveCancellationDate: expect.stringMatching(/^20.*Z$/),
  })
  expect((await createClient(network).read(order.href)).body).toMatchObject({
    state: 'cancelled',
    cancellationDate: expect.stringMatching(/^20.*Z$/),
    errorMessage: [{ code: 'CANCELLED_ON_REQUEST' }],
  })
  await vi.waitFor(
    () =>
      expect(subscriber.events.slice(-2).map(({ eventType, event }) => [eventType, event.serviceOrder.state])).toEqual([
        ['ServiceOrderMilestoneEvent', 'cancelled'],
        ['ServiceOrderStateChangeEvent', 'cancelled'],
      ]),
    30_000,
  )
  network.setClockOffset(5 * hour)
  expect(network.ledger().at(-1)).toMatchObject({ external_id: 'X-1', state: 'cancelled' })
  expect(await createClient(network).place(createPortInOrder('X-2', ports.completes))).toMatchObject({ status: 201 })
})

test('a number transfer that has been confirmed cannot be cancelled and carries on', async () => {
  const { network, order } = await portUnderWay()
  network.setClockOffset(0.4 * 4 * hour)
  const asked = await cancel(network, order.id)
  expect(await endOf(network, asked.body.href)).toMatchObject({
    state: 'terminatedWithError',
    completionMessage: 'The port is confirmed and can no longer be cancelled.',
    errorMessage: { code: 'CANCEL_TOO_LATE', status: '409' },
  })
  network.setClockOffset(4 * hour)
  expect(network.ledger().at(-1)).toMatchObject({ external_id: 'X-1', state: 'completed' })
})

test('a number transfer carries on if it is confirmed while its cancellation is being decided', async () => {
  const dataDir = await makeDataDir()
  const quick = await startNetwork({ dataDir, slowStepMs: 20 })
  await activateTestSim(quick, sims.slow)
  await quick.close()
  const network = await startNetwork({ dataDir, slowStepMs: 3_000, portDelayMs: 24 * hour })
  const { body: order } = await createClient(network).place(createPortInOrder('X-1', ports.completes, sims.slow))
  const asked = await cancel(network, order.id)
  expect(asked.body.state).toBe('accepted')
  network.setClockOffset(0.4 * 4 * hour)
  expect(await endOf(network, asked.body.href)).toMatchObject({ errorMessage: { code: 'CANCEL_TOO_LATE' } })
})

test('simultaneous cancellations of an order create only one task, and tasks can be listed by order', async () => {
  const { network, order } = await portUnderWay({ stepMs: 60 })
  const [one, other] = await Promise.all([cancel(network, order.id), cancel(network, order.id)])
  expect(one.body.id).toBe(other.body.id)
  const { read } = createClient(network)
  const ids = async (query: string) => (await read(`${tasks}?${query}`)).body.map(({ id }: { id: string }) => id)
  expect(await ids(`serviceOrder.id=${order.id}`)).toEqual([one.body.id])
  expect(await ids('serviceOrder.id=none')).toEqual([])
  expect(await read(`${tasks}/none`)).toMatchObject({ status: 404, body: { code: 'UNKNOWN_TASK' } })
})

test('cancelling an order is rejected immediately if it is unknown, finished or not a number transfer', async () => {
  const { network, order } = await portUnderWay()
  const { body: other } = await createClient(network).place(createActivationOrder('A-2', sims.second))
  const refusal = async (id: string) => {
    const { status, body } = await cancel(network, id)
    return [status, body.code]
  }
  expect(await refusal(other.id)).toEqual([409, 'NOT_CANCELLABLE'])
  expect(await refusal('none')).toEqual([404, 'UNKNOWN_ORDER'])
  network.setClockOffset(4 * hour)
  expect(await refusal(order.id)).toEqual([409, 'ORDER_OVER'])
  expect(await createClient(network).call('POST', tasks, {})).toMatchObject({
    status: 400,
    body: { code: 'INVALID_BODY' },
  })
})

test('a test can make a cancellation fail with HTTP 500, be declined or lose its response', async () => {
  const { network, order } = await portUnderWay()
  network.fail({ operation: 'cancel', kind: 'error_500' })
  expect((await cancel(network, order.id)).status).toBe(500)
  network.fail({ operation: 'cancel', kind: 'fail_permanent' })
  const refused = await cancel(network, order.id)
  expect(await endOf(network, refused.body.href)).toMatchObject({ errorMessage: { code: 'PROVISIONING_REFUSED' } })
  network.fail({ operation: 'cancel', kind: 'lost_answer' })
  await expect(cancel(network, order.id)).rejects.toThrow()
  await waitForState(network, 'X-1', 'cancelled')
})

test('a restart does not lose a pending cancellation and does not change one that has been decided', async () => {
  const dataDir = await makeDataDir()
  const { network, order } = await portUnderWay({ dataDir, stepMs: 300 })
  const { body: task } = await cancel(network, order.id)
  await network.close()
  const second = await startNetwork({ dataDir, portDelayMs: 24 * hour })
  // The port in the links changes with a restart, so only the path is used.
  const at = ({ url }: NetworkSimulator, href: string): string => url + new URL(href).pathname
  expect(await endOf(second, at(second, task.href))).toMatchObject({ state: 'done' })
  const { body: before } = await createClient(second).read(at(second, order.href))
  await second.close()
  const third = await startNetwork({ dataDir, portDelayMs: 24 * hour })
  const there = JSON.parse(JSON.stringify(before).replaceAll(second.url, third.url))
  expect((await createClient(third).read(at(third, order.href))).body).toEqual(there)
})
