import { beforeAll, expect, test } from 'vitest'
import { toDate } from '#kit/server/clock.ts'
import { transact } from '#kit/server/db.ts'
import { readSentAlerts, consumeData, waitForTime } from '#quality/support/data-usage.ts'
import { makeSubscriber, type Subscriber } from '#quality/support/customer.ts'
import { useWorld } from '#quality/support/world.ts'
import { pollUsage } from './server/poll-usage.ts'
import { findWatch, leaseDueWatches, type LeasedWatch, scheduleUsagePoll } from './server/watch.store.ts'

// The scheduler does not run in this test world, so each test starts its own usage checks.
const world = useWorld()
beforeAll(() => waitForTime(world(), '10:00'))

const bounds = { batch: 3, inHand: 500 }
const take = (): Promise<LeasedWatch[]> =>
  transact(world().db, (trx) => leaseDueWatches(trx, world().deps.clock.now(), bounds))

async function usedUp(count: number): Promise<Subscriber[]> {
  await world().db.updateTable('usage_watch').set({ due_at: null, taken: false }).execute()
  const customers: Subscriber[] = []
  while (customers.length < count) customers.push(await makeSubscriber(world(), { plan: 'plan-7-500mb' }))
  for (const customer of customers) {
    await consumeData(world(), customer, 9_999)
    await transact(world().db, (trx) => scheduleUsagePoll(trx, customer.service.id, world().deps.clock.now()))
  }
  return customers
}

test('concurrent workers never lease the same service for a usage check, and each usage alert is sent once', async () => {
  const customers = await usedUp(6)
  const taken = (await Promise.all(Array.from({ length: 8 }, take))).flat()
  taken.push(...(await take()), ...(await take()))
  const ids = taken.map(({ serviceId }) => serviceId)
  expect(ids.toSorted()).toEqual(customers.map(({ service }) => service.id).toSorted())
  // Check each service twice, as if its job had been run twice.
  await Promise.all([...taken, ...taken].map((each) => pollUsage(world().deps, each)))
  for (const customer of customers) expect(await readSentAlerts(world(), customer)).toEqual(['sms 100', 'email 100'])
})

test('checking the same service’s usage twenty times at once sends each alert only once', async () => {
  const [customer] = await usedUp(1)
  const [taken] = await take()
  await Promise.all(Array.from({ length: 20 }, () => pollUsage(world().deps, taken!)))
  expect(await readSentAlerts(world(), customer!)).toEqual(['sms 100', 'email 100'])
})

test('once a worker’s lease on a service has expired, another can lease it, and the first worker’s late check is ignored', async () => {
  const [customer] = await usedUp(1)
  const [late] = await take()
  expect(await take()).toEqual([])
  await world().advance('PT11M')
  const [again] = await take()
  expect(again!.serviceId).toBe(late!.serviceId)
  await pollUsage(world().deps, late!)
  expect(await readSentAlerts(world(), customer!)).toEqual([])
  await pollUsage(world().deps, again!)
  await pollUsage(world().deps, late!)
  expect(await readSentAlerts(world(), customer!)).toEqual(['sms 100', 'email 100'])
})

test('when a plan begins while usage is being checked, the next check happens at the time scheduled for the new plan', async () => {
  const [customer] = await usedUp(1)
  const [taken] = await take()
  const at = world().deps.clock.now().add({ hours: 5 })
  const [, watch] = await Promise.all([
    pollUsage(world().deps, taken!),
    transact(world().db, async (trx) => {
      await scheduleUsagePoll(trx, customer!.service.id, at)
      return findWatch(trx, customer!.service.id)
    }),
  ])
  expect(watch?.due_at).toEqual(toDate(at))
  // The newly scheduled time is kept, whichever transaction commits first.
  const after = await findWatch(world().db, customer!.service.id)
  expect(after).toMatchObject({ due_at: toDate(at), taken: false })
})

test('limits how many services are leased for a usage check at once, across all processes', async () => {
  await usedUp(5)
  const few = () =>
    transact(world().db, (trx) => leaseDueWatches(trx, world().deps.clock.now(), { batch: 3, inHand: 4 }))
  expect([(await few()).length, (await few()).length, (await few()).length]).toEqual([3, 1, 0])
})
