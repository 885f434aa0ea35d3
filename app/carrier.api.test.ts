/* @module-tag slow */
import { randomBytes } from 'node:crypto'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { findFreePort } from '#kit/server/free-port.ts'
import { startGatewaySimulator } from '#simulators/gateway/server.ts'
import { startNetworkSimulator } from '#simulators/network/simulator.ts'
import { exampleMapping } from '#quality/support/carrier.ts'
import { makeSubscriber } from '#quality/support/customer.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { activate, portForm } from '#quality/support/activation-journey.ts'
import { fantailFolder } from '#quality/support/provider.ts'
import { orderQueue } from '#features/orders/server/orders.store.ts'
import { buyAddOn, endOf } from '#quality/support/purchases.ts'
import { readNetworkActions, newPortableNumber, addSimUsage } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { startWorld, type World } from '#quality/support/world.ts'
import { cardCallbackPath } from './callbacks.ts'

async function startThere() {
  const home = createDataFolder()
  const folder = join(home, 'provider')
  cpSync(fantailFolder, folder, { recursive: true })
  writeFileSync(join(folder, 'network.json'), exampleMapping())
  const port = await findFreePort()
  const [apiKey, hmacKey] = [randomBytes(16).toString('hex'), randomBytes(32).toString('hex')]
  const gateway = await startGatewaySimulator({
    port: 0,
    dataDir: join(home, 'gateway'),
    apiKey,
    merchantAccount: 'FantailTest',
    hmacKey,
    webhookUrl: `http://127.0.0.1:${port}${cardCallbackPath}`,
  })
  const network = await startNetworkSimulator({
    port: 0,
    dataDir: join(home, 'network'),
    stepMs: 25,
    dialect: 'tasman',
  })
  const world = await startWorld({
    env: {
      PORT: String(port),
      PROVIDER_DIR: folder,
      CARD_GATEWAY: 'adyen',
      CARD_URL: gateway.url,
      CARD_API_KEY: apiKey,
      CARD_MERCHANT_ACCOUNT: 'FantailTest',
      CARD_HMAC_KEY: hmacKey,
      CARD_PUBLIC_KEY: gateway.publicKey,
      NETWORK_URL: network.url,
      NETWORK_CALLBACK_SECRET: callbackSecret,
    },
  })
  return { world, close: () => world.close().finally(() => Promise.all([gateway.close(), network.close()])) }
}

const callbackSecret = randomBytes(16).toString('hex')

let there: Awaited<ReturnType<typeof startThere>> | undefined
let world: World
beforeAll(async () => {
  there = await startThere()
  ;({ world } = there)
})
afterAll(() => there?.close())

const tellNetwork = (control: string, body: unknown) =>
  fetch(`${world.deps.outside.networkUrl}/_simulator/${control}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function newLine() {
  const { visitor, service } = await makeSubscriber(world, { card: true })
  const { iccid, msisdn } = service.sim
  await tellNetwork('sims', [{ iccid, msisdn, habits: 'none' }])
  return { visitor, id: service.id, orderCode: service.orderCode, iccid }
}

const networkTasks = () =>
  world.db
    .selectFrom('operator_tasks')
    .select(['subject', 'reason'])
    .where('kind', '=', 'network')
    .orderBy('subject')
    .execute()

describe('a mapping file for the mobile network that overrides every default', () => {
  test('with a custom mapping for the mobile network, SIMs are activated, add-ons are added and paginated usage is read', async () => {
    const { visitor, orderCode, id, iccid } = await newLine()
    expect(await readNetworkActions(world, orderCode)).toEqual(['activate completed', 'add_plan completed'])
    expect((await endOf(visitor, buyAddOn(world, visitor, { id }, { saved: true }))).status).toBe(200)
    await addSimUsage(world, { iccid, type: 'data', amount: 1_250 })
    for (let second = 1; second <= 8; second++)
      await addSimUsage(world, { iccid, type: 'voice', amount: 60 * second, destination: '64275550100' })
    await addSimUsage(world, { iccid, type: 'sms', amount: 1, destination: '64275550101' })
    const { body: summary } = await visitor.get(`/api/account/usage_summary/${id}/`)
    expect(summary).toMatchObject({
      plan: { entitlements: [{ name: 'Data', remainingAllowance: { amount: 3.75, unit: 'GB' } }] },
      addons: [{ unique_id: 'extra-2gb', entitlements: [{ remainingAllowance: { amount: 2, unit: 'GB' } }] }],
    })
    const { body: detail } = await visitor.get(`/api/account/usage_detail/${id}/`)
    expect(detail.data_usage.at(-1).value).toBe(1_250)
    expect(
      detail.voice_usage
        .map(({ duration }: { duration: number }) => duration)
        .toSorted((a: number, b: number) => a - b),
    ).toEqual([60, 120, 180, 240, 300, 360, 420, 480])
    expect(detail.txt_usage).toEqual([{ date: expect.any(String), destination: '+64275550101' }])
    expect(await networkTasks()).toEqual([])
  })

  test('with a custom mapping for the mobile network, numbers are transferred, and an email says why a transfer failed', async () => {
    const declined = await newPortableNumber(world, 'fails')
    const { email, orderCode } = await activate(world, { port: portForm(declined) })
    await world.advance('PT4H')
    await pollUntil(async () => (await readNetworkActions(world, orderCode)).includes('port_in failed'))
    const failed = await pollUntil(async () =>
      (await world.mailTo(email)).find(({ subject }) => subject.startsWith('We could not')),
    )
    expect(failed.text).toContain('Skinny has a different SIM number for this number.')
    const number = await newPortableNumber(world)
    const { sim } = await activate(world, { port: portForm(number) })
    await world.advance('PT4H')
    await pollUntil(async () => {
      const service = await world.db
        .selectFrom('services')
        .select('msisdn')
        .where('iccid', '=', sim.iccid)
        .executeTakeFirst()
      return service?.msisdn === number
    })
  })

  test('if the network ignores filters, customers see only their own data, and staff get a task for each unfiltered list', async () => {
    const [mine, others] = [await newLine(), await newLine()]
    await addSimUsage(world, { iccid: mine.iccid, type: 'voice', amount: 60, destination: '64275550102' })
    for (let second = 1; second <= 75; second++)
      await addSimUsage(world, { iccid: others.iccid, type: 'voice', amount: second, destination: '64275550103' })
    await tellNetwork('lists', { ignore_filters: true })
    const warned = vi.spyOn(world.deps.log, 'warn')
    for (let looks = 0; looks < 2; looks++) {
      await world.db.deleteFrom('usage_readings').execute()
      const { body: detail } = await mine.visitor.get(`/api/account/usage_detail/${mine.id}/`)
      expect(detail.voice_usage).toEqual([{ date: expect.any(String), destination: '+64275550102', duration: 60 }])
      const { body: summary } = await mine.visitor.get(`/api/account/usage_summary/${mine.id}/`)
      expect(summary).toMatchObject({ addons: [], plan: { entitlements: [{ remainingAllowance: { amount: 5 } }] } })
    }
    expect(await networkTasks()).toEqual([
      {
        subject: 'network balances',
        reason: expect.stringContaining('Fantail ignores these entries and shows them to nobody.'),
      },
      {
        subject: 'network usage',
        reason: expect.stringContaining('Fantail ignores these entries and shows them to nobody.'),
      },
    ])
    const told = warned.mock.calls.filter(([, message]) => String(message).includes('of other lines'))
    expect(told.map(([about]) => about)).toEqual([
      { service: mine.id, list: 'usage', count: expect.any(Number) },
      { service: mine.id, list: 'balances', count: expect.any(Number) },
    ])
    await tellNetwork('lists', {})
  })
})

describe('notifications from the mobile network', () => {
  const tell = (
    path: string,
    body: object = { eventId: 'e-1', event: { serviceOrder: { externalId: 'FT0-sim-1' } } },
  ) =>
    fetch(`${world.url.replace('localhost', '127.0.0.1')}/callbacks/network/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const listeners = [
    ...['Create', 'AttributeValueChange', 'StateChange', 'Delete', 'InformationRequired', 'Milestone', 'Jeopardy'].map(
      (what) => `serviceOrder${what}Event`,
    ),
    ...['Create', 'StateChange', 'InformationRequired'].map((what) => `cancelServiceOrder${what}Event`),
  ]

  test.each(['', '/'])(
    'a network event is accepted only with the secret in its URL, with %j at the end',
    async (end) => {
      expect((await tell(callbackSecret + end)).status).toBe(204)
      expect((await tell(`guess${end}`)).status).toBe(404)
    },
  )

  test('every TMF641 listener path responds with 201, the listener’s id and its callback URL', async () => {
    for (const listener of listeners) {
      for (const path of [`/listener/${listener}`, `/listener/${listener}/`, `//listener/${listener}`]) {
        const answer = await tell(callbackSecret + path)
        expect([path, answer.status]).toEqual([path, 201])
        expect(await answer.json()).toEqual({ id: listener, callback: `/listener/${listener}` })
      }
    }
    expect((await tell('guess/listener/serviceOrderStateChangeEvent')).status).toBe(404)
    expect((await tell(`${callbackSecret}/listener/`)).status).toBe(404)
    expect((await tell(`${callbackSecret}/listener/${'x'.repeat(101)}`)).status).toBe(404)
    expect((await tell(`${callbackSecret}/listener/serviceOrderStateChangeEvent`, { what: 1 })).status).toBe(201)
  })

  test('an event from the mobile network triggers a check of its order only while the order is waiting for the network', async () => {
    const { orderCode } = await newLine()
    const { id, external_id: externalId } = await world.db
      .selectFrom('network_operations')
      .innerJoin('orders', 'orders.id', 'network_operations.order_id')
      .select(['orders.id', 'external_id'])
      .where('order_code', '=', orderCode)
      .executeTakeFirstOrThrow()
    const sent = vi.spyOn(world.deps.jobs, 'send')
    const event = { eventId: 'e-2', event: { serviceOrder: { externalId } } }
    const listener = `${callbackSecret}/listener/serviceOrderStateChangeEvent`
    expect((await tell(listener, event)).status).toBe(201)
    expect(sent).not.toHaveBeenCalled()
    await world.db
      .updateTable('network_operations')
      .set({ ended_at: null })
      .where('external_id', '=', externalId)
      .execute()
    await tell(listener, event)
    expect(sent).toHaveBeenCalledWith(expect.anything(), orderQueue, id)
  })
})
