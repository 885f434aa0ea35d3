import { describe, expect, test } from 'vitest'
import { fromDate } from '#kit/server/clock.ts'
import { findPortByExternalId } from '#features/porting/server/porting.store.ts'
import { submitOrPollPort } from '#features/porting/server/porting.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { type Customer, makeCustomer } from '#quality/support/customer.ts'
import { portForm } from '#quality/support/activation-journey.ts'
import { failNetwork, newPortableNumber, setNetworkEvents } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { processDueDeadlines } from './server/plan-life.ts'
import { processRelease } from './server/release-number.ts'

const world = useWorld()

const anyService = async (plan = 'plan-7-500mb') => {
  const customer = await makeCustomer(world(), { services: 1, plan })
  return { customer, service: customer.services[0]! }
}

const duesOf = (serviceIds: string[]) =>
  world()
    .db.selectFrom('service_deadlines')
    .selectAll()
    .where('service_id', 'in', serviceIds)
    .orderBy('due_at')
    .execute()

async function sleepThrough(serviceIds: string[]): Promise<void> {
  const due = await duesOf(serviceIds)
  const [first] = due
  for (const { service_id: id, kind, due_at: at } of due) {
    const since = (at.getTime() - first!.due_at.getTime()) / 1_000
    await world()
      .db.updateTable('service_deadlines')
      .set({ due_at: new Date(since) })
      .where('service_id', '=', id)
      .where('kind', '=', kind)
      .execute()
  }
}

const sweep = () => processDueDeadlines(world().deps, world().deps.clock.now())
const releaseOf = (id: string) =>
  world().db.selectFrom('service_releases').selectAll().where('service_id', '=', id).executeTakeFirst()
/**
 * Waits until the number has been released. Makes each retry due at once, because the back-off would pass in real time.
 */
const whenReleased = (id: string) =>
  pollUntil(async () => {
    await world()
      .db.updateTable('service_releases')
      .set({ retry_at: new Date() })
      .where('service_id', '=', id)
      .where('state', '=', 'initiated')
      .where('retry_at', '>', new Date(Date.now() + 1_500))
      .execute()
    return (await releaseOf(id))?.state === 'completed'
  })
const returned = async (id: string) =>
  (await world().ledgers()).network.filter(({ external_id: external }) => external.startsWith(`release-${id}`))
const lettersAbout = async (id: string, of = 'plan-life') => {
  const rows = await world()
    .db.selectFrom('messages')
    .select('event_key')
    .where('event_key', 'like', `${of}:${id}:%`)
    .orderBy('created_at')
    .execute()
  return rows.map(({ event_key: key }) => key.split(':')[2])
}

describe('deadlines processed by several processes at once', () => {
  test('concurrent processes send each message about a plan’s end once and in order, and release each number once', async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => anyService()))
    const ids = made.map(({ service }) => service.id)
    // Run each deadline when it is due, because messages state what is true at that time.
    for (const { due_at: at } of await duesOf(ids))
      await Promise.all(Array.from({ length: 6 }, () => processDueDeadlines(world().deps, fromDate(at))))
    for (const id of ids) {
      await whenReleased(id)
      expect(await lettersAbout(id)).toEqual(['ends-2', 'ends-1', 'expiry', 'reminder-14', 'reminder-7', 'reminder-1'])
      expect(await lettersAbout(id, 'plan-life-text')).toEqual([
        'ends-2',
        'ends-1',
        'reminder-14',
        'reminder-7',
        'reminder-1',
      ])
      expect(await returned(id)).toMatchObject([{ action: 'deactivate', state: 'completed' }])
    }
    expect(await findFaultsWhenIdle(world())).toEqual([])
  })

  test('concurrent processes that handle the same number release place a single order', async () => {
    const { service } = await anyService()
    await failNetwork(world(), { operation: 'deactivate', kind: 'lost_answer' })
    await sleepThrough([service.id])
    await sweep()
    await Promise.all(Array.from({ length: 6 }, () => processRelease(world().deps, service.id)))
    await whenReleased(service.id)
    expect(await returned(service.id)).toHaveLength(1)
    expect(await findFaultsWhenIdle(world())).toEqual([])
  })

  test('a number release that fails temporarily at the network is ordered again and completes', async () => {
    const { service } = await anyService()
    await failNetwork(world(), { operation: 'deactivate', kind: 'fail_retryable' })
    await sleepThrough([service.id])
    await Promise.all([sweep(), sweep()])
    await whenReleased(service.id)
    expect((await returned(service.id)).map(({ state }) => state)).toEqual(['failed', 'completed'])
    expect(await findFaultsWhenIdle(world())).toEqual([])
  })
})

describe('releasing a number while it is being transferred', () => {
  const transfer = async ({ customer, service }: { customer: Customer; service: { id: string } }) => {
    const number = await newPortableNumber(world())
    expect((await customer.visitor.post(`/api/services/port/${service.id}/`, portForm(number))).status).toBe(200)
    const port = () => findPortByExternalId(world().db, `${service.id}-port-1`)
    await pollUntil(async () => (await port())?.status === 'SUBMITTED')
    return { number, port }
  }

  test('a service with a transfer under way is released after the transfer has completed', async () => {
    const it = await anyService()
    const { number, port } = await transfer(it)
    await sleepThrough([it.service.id])
    await sweep()
    await pollUntil(async () => (await releaseOf(it.service.id))?.tries)
    expect(await returned(it.service.id)).toEqual([])
    await world().advance('PT5H')
    await whenReleased(it.service.id)
    expect(await port()).toMatchObject({ status: 'COMPLETED' })
    expect(await linesWith(number)).toEqual([])
    expect(await findFaultsWhenIdle(world())).toEqual([])
  })

  test('a number can be released even if its transfer is recorded as complete only during the release', async () => {
    const it = await anyService()
    await setNetworkEvents(world(), { mode: 'drop' })
    const { number, port } = await transfer(it)
    const hear = async (when: Date) =>
      world()
        .db.updateTable('porting_requests')
        .set({ retry_at: when })
        .where('service_id', '=', it.service.id)
        .execute()
    await hear(new Date('2100-01-01'))
    await world().advance('PT5H')
    expect(await port()).toMatchObject({ status: 'SUBMITTED' })

    await sleepThrough([it.service.id])
    await sweep()
    // The release must be ordered while the service still has its old number, before the transferred number replaces it.
    await pollUntil(async () => (await returned(it.service.id)).length === 1)
    const late = await port()
    await submitOrPollPort(world().deps, late!)
    expect(
      (await world().db.selectFrom('services').select('msisdn').where('id', '=', it.service.id).executeTakeFirst())
        ?.msisdn,
    ).toBe(number)
    await whenReleased(it.service.id)
    await setNetworkEvents(world(), { mode: 'normal' })
    expect(await returned(it.service.id)).toHaveLength(1)
    expect(await linesWith(number)).toEqual([])
    expect(await findFaultsWhenIdle(world())).toEqual([])
  })
})

describe('turning auto-renewal on and off during a number release', () => {
  test('turning auto-renewal on and off while a service is being released does not prevent the release', async () => {
    const customer = await makeCustomer(world(), { card: true })
    const [service] = customer.services
    const path = `/api/services/auto_renew/${service!.id}/${service!.shortId}/`
    const headers = { 'x-csrftoken': customer.visitor.cookie('csrftoken') ?? '' }
    await sleepThrough([service!.id])
    const answers = await Promise.all([
      sweep(),
      ...Array.from({ length: 6 }, (_, at) => customer.visitor.send(at % 2 ? 'DELETE' : 'PUT', path, { headers })),
    ])
    expect(answers.flatMap((answer) => answer?.status ?? []).every((status) => [200, 404].includes(status))).toBe(true)
    await whenReleased(service!.id)
    expect((await customer.visitor.get('/api/services/')).body).toEqual({})
    expect(await findFaultsWhenIdle(world())).toEqual([])
  })
})

async function linesWith(number: string): Promise<object[]> {
  const lines = (await (await fetch(`${world().deps.outside.networkUrl}/_simulator/lines`)).json()) as {
    msisdn: string
  }[]
  return lines.filter(({ msisdn }) => msisdn === number.replace('+', '') || msisdn === number)
}
