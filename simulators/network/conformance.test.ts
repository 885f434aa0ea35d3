import { expect, test } from 'vitest'
import {
  activateTestSim,
  createClient,
  createPortInOrder,
  ports,
  serviceOrder,
  sims,
  startNetwork,
  startEventReceiver,
  waitForState,
} from './test-network.ts'

function objectsIn(value: unknown, name = ''): { name: string; fields: Record<string, unknown> }[] {
  if (Array.isArray(value)) return value.flatMap((item) => objectsIn(item, name))
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, part]) => objectsIn(part, key))
  return [{ name, fields: value as Record<string, unknown> }, ...inner]
}

// The network's responses must conform to the schemas of TMF641 v4.0 and v4.1, TMF654 v4.0 and TMF635 v4.0.
const taskStates = ['accepted', 'terminatedWithError', 'inProgress', 'done']

test('network responses follow TM Forum’s schemas: absolute links, references with ids, task states, no nulls', async () => {
  const network = await startNetwork({ portDelayMs: 24 * 3_600_000 })
  const { place, read, call, subscribe } = createClient(network)
  const subscriber = await startEventReceiver()
  const said: unknown[] = [(await subscribe(subscriber.url)).body]
  await activateTestSim(network)
  said.push((await place(serviceOrder('P-1', 'add', 'prepaidPlan', { ...sims.ok, sku: 'plan-30' }))).body)
  await waitForState(network, 'P-1', 'completed')
  const { body: declined } = await place(createPortInOrder('X-1', ports.fails))
  const task = (
    await call('POST', '/tmf-api/serviceOrdering/v4/cancelServiceOrder', { serviceOrder: { id: declined.id } })
  ).body
  said.push(declined, task)
  await waitForState(network, 'X-1', 'cancelled')
  const lists = [
    'serviceOrdering/v4/serviceOrder',
    'serviceOrdering/v4/cancelServiceOrder',
    'resourceInventoryManagement/v4/resource',
  ]
  const usage = ['prepayBalanceManagement/v4/bucket', 'usageManagement/v4/usage']
  await call('POST', '/_simulator/lists', { ignore_filters: true })
  for (const list of [...lists, ...usage]) said.push((await read(`/tmf-api/${list}`)).body)
  said.push(...subscriber.events)

  const objects = objectsIn(said)
  const links = objects.flatMap(({ fields }) =>
    [fields['href'], fields['serviceOrderHref']].filter((link) => link !== undefined),
  )
  expect(links.length).toBeGreaterThan(20)
  for (const link of links) expect(String(link)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/tmf-api\//)
  const references = objects.flatMap(({ name, fields }) => {
    const within = name === 'milestone' || name === 'errorMessage' ? fields['serviceOrderItem'] : []
    return (within ?? []) as Record<string, unknown>[]
  })
  expect(references.length).toBeGreaterThan(2)
  for (const reference of references)
    expect(reference).toEqual({ id: '1', itemId: '1', serviceOrderId: declined.id, serviceOrderHref: declined.href })
  const tasks = objects.filter(({ fields }) => fields['@type'] === 'CancelServiceOrder')
  expect(tasks.length).toBeGreaterThan(1)
  for (const { fields } of tasks) expect(taskStates).toContain(fields['state'])
  expect(objects.filter(({ fields }) => Object.values(fields).includes(null))).toEqual([])
})
