import { expect, test, vi } from 'vitest'
import type { NetworkEvent } from './deliveries.ts'
import type { EventMode } from './events.ts'
import {
  activateTestSim,
  createActivationOrder,
  createClient,
  createPortInOrder,
  ports,
  sims,
  startNetwork,
  startEventReceiver,
  waitForState,
} from './test-network.ts'

const shortly = ({ eventType, event: { serviceOrder } }: NetworkEvent) => `${eventType} ${serviceOrder.state}`

const activationEvents = [
  'ServiceOrderCreateEvent acknowledged',
  'ServiceOrderStateChangeEvent inProgress',
  'ServiceOrderStateChangeEvent completed',
]

test('a subscriber is notified of each of an order’s states in sequence, and notifications are retried', async () => {
  const network = await startNetwork()
  const subscriber = await startEventReceiver({ turnAway: 2 })
  const answer = await createClient(network).subscribe(subscriber.url)
  expect(answer).toMatchObject({ status: 201, body: { callback: subscriber.url } })
  await activateTestSim(network)
  await vi.waitFor(() => expect(subscriber.events.map(shortly)).toEqual(activationEvents), 30_000)
  expect(new Set(subscriber.events.map(({ eventId }) => eventId)).size).toBe(3)
  expect(subscriber.events[0]).toMatchObject({
    eventTime: expect.stringMatching(/^20.*Z$/),
    correlationId: `activate-${sims.ok.iccid}`,
    event: { serviceOrder: { externalId: `activate-${sims.ok.iccid}` } },
  })
})

test('subscribing again has no effect, and DELETE ends a subscription', async () => {
  const network = await startNetwork()
  const { call, subscribe } = createClient(network)
  const [leaving, staying] = [await startEventReceiver(), await startEventReceiver()]
  const first = await subscribe(leaving.url)
  expect(await subscribe(leaving.url)).toMatchObject({ status: 200, body: first.body })
  await subscribe(staying.url)
  await activateTestSim(network)
  await vi.waitFor(() => expect(leaving.events).toHaveLength(3), 30_000)

  const hub = `/tmf-api/serviceOrdering/v4/hub/${first.body.id}`
  expect(await call('DELETE', hub)).toMatchObject({ status: 204 })
  expect(await call('DELETE', hub)).toMatchObject({ status: 404, body: { code: 'UNKNOWN_SUBSCRIPTION' } })
  await activateTestSim(network, sims.second)
  await vi.waitFor(() => expect(staying.events).toHaveLength(6), 30_000)
  expect(leaving.events).toHaveLength(3)
  expect(await subscribe('ftp://127.0.0.1/')).toMatchObject({ status: 400 })
})

test('number transfers send events for their milestones, and a subscription can select event types', async () => {
  const network = await startNetwork()
  const { place, subscribe } = createClient(network)
  await activateTestSim(network)
  const [milestones, states, questions] = [
    await startEventReceiver(),
    await startEventReceiver(),
    await startEventReceiver(),
  ]
  await subscribe(milestones.url, 'eventType=ServiceOrderMilestoneEvent')
  await subscribe(states.url, 'eventType=ServiceOrderCreateEvent,ServiceOrderStateChangeEvent')
  await subscribe(questions.url, 'eventType=ServiceOrderInformationRequiredEvent')
  await place(createPortInOrder('X-1', ports.needsInformation))
  await vi.waitFor(() => {
    expect(milestones.events.map(({ event }) => event.serviceOrder.milestone.at(-1)!.name)).toEqual([
      'requested',
      'informationRequired',
      'requested',
      'awaitingCustomerReply',
      'confirmed',
      'inProgress',
      'completed',
    ])
    expect(states.events.map(({ event }) => event.serviceOrder.state)).toEqual([
      'acknowledged',
      'inProgress',
      'pending',
      'inProgress',
      'completed',
    ])
    expect(questions.events.map(shortly)).toEqual(['ServiceOrderInformationRequiredEvent pending'])
  }, 30_000)
})

test('a test can hold and release, duplicate, reorder or drop the network’s events', async () => {
  const network = await startNetwork()
  const { call, place, subscribe } = createClient(network)
  const setMode = (mode: EventMode) => call('POST', '/_simulator/events', { mode })
  const subscriber = await startEventReceiver()
  await subscribe(subscriber.url)

  await setMode('hold')
  await activateTestSim(network, sims.ok)
  expect(subscriber.events).toEqual([])
  expect(await call('POST', '/_simulator/events/release')).toMatchObject({ body: { released: 3 } })
  await vi.waitFor(() => expect(subscriber.events.map(shortly)).toEqual(activationEvents), 30_000)

  subscriber.events.length = 0
  await setMode('duplicate')
  await activateTestSim(network, sims.second)
  await vi.waitFor(() => expect(subscriber.events).toHaveLength(6), 30_000)
  const ids = subscriber.events.map(({ eventId }) => eventId)
  expect([ids[1], ids[3], ids[5]]).toEqual([ids[0], ids[2], ids[4]])

  subscriber.events.length = 0
  await setMode('reorder')
  await activateTestSim(network, sims.slow)
  await vi.waitFor(() => expect(subscriber.events.map(shortly).toSorted()).toEqual(activationEvents.toSorted()), 30_000)
  expect(subscriber.events.map(shortly)).not.toEqual(activationEvents)

  subscriber.events.length = 0
  await setMode('drop')
  await place(createActivationOrder('lost', sims.failsOnce))
  await waitForState(network, 'lost', 'failed')
  await setMode('normal')
  await place(createActivationOrder('heard', sims.failsOnce))
  await vi.waitFor(() => expect(subscriber.events).toHaveLength(3), 30_000)
  expect(subscriber.events.every(({ correlationId }) => correlationId === 'heard')).toBe(true)
})

test('if one subscriber is unreachable, orders still complete and other subscribers receive their events', async () => {
  const network = await startNetwork()
  const { subscribe } = createClient(network)
  const subscriber = await startEventReceiver()
  await subscribe('http://127.0.0.1:9/')
  await subscribe(subscriber.url)
  await activateTestSim(network)
  await vi.waitFor(() => expect(subscriber.events).toHaveLength(3), 30_000)
})
