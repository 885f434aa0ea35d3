import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pollUntil } from '#quality/support/poll-until.ts'
import { createClock } from '../clock.ts'
import { createHttpApp } from '../http.ts'
import { createSecrets } from '../secrets.ts'
import { type EndpointPriority, createOverloadProtection, type OverloadProtection } from './overload-protection.ts'

let app: FastifyInstance
let excess: OverloadProtection
let goOn: () => void
beforeEach(async () => {
  // The event loop's delay is not monitored here, because the limits would shrink on a busy machine.
  excess = createOverloadProtection({ secureCookies: false }, () => () => {})
  app = await createHttpApp({
    db: null as never,
    clock: createClock(),
    secrets: createSecrets('secret'),
    publicUrl: 'http://localhost',
    secureCookies: false,
    trustedProxies: [],
    logLevel: 'silent',
    findSession: async () => undefined,
    excess,
    pageWhileBusy: { html: '<p>Busy</p>', policy: "default-src 'none'" },
  })
  const { promise: held, resolve } = Promise.withResolvers<void>()
  goOn = resolve
  const kinds: Record<string, EndpointPriority | undefined> = {
    any: undefined,
    first: 'first',
    order: 'order',
    costly: 'costly',
  }
  for (const [kind, admission] of Object.entries(kinds)) {
    const config: { admission?: EndpointPriority } = admission ? { admission } : {}
    app.get(`/${kind}/`, { config }, () => 'done')
    app.get(`/slow/${kind}/`, { config }, () => held.then(() => 'done'))
  }
})
afterEach(async () => {
  goOn()
  await app.close()
  excess.stop()
})

let addresses = 0
const ask = (url: string, headers = {}, remoteAddress = `10.0.${addresses >> 8}.${addresses++ & 255}`) =>
  app.inject({ url, headers, remoteAddress })
const statusOf = async (url: string, headers = {}): Promise<number> => (await ask(url, headers)).statusCode
const known = { cookie: 'fantail=ana' }

test('known browsers, payments and webhooks are admitted when unknown clients have used up their capacity', async () => {
  const flood = Array.from({ length: 200 }, () => statusOf('/slow/any/'))
  await pollUntil(async () => excess.figures().atWork.anyone === 200)
  const refused = await ask('/any/', { accept: 'application/json' })
  expect(refused).toMatchObject({ statusCode: 503, headers: { 'retry-after': '5', 'cache-control': 'no-store' } })
  expect(refused.headers).toHaveProperty('x-request-id')
  expect(refused.json()).toEqual({ code: 'Something went wrong. Please try refreshing the page.' })
  excess.known.note('ana', true)
  expect(await Promise.all([statusOf('/any/', known), statusOf('/order/', known), statusOf('/first/')])).toEqual([
    200, 200, 200,
  ])
  expect(await statusOf('/nothing/')).toBe(503)
  const { statusCode, headers } = await app.inject({ method: 'HEAD', url: '/any/', remoteAddress: '10.1.0.1' })
  expect([statusCode, headers['retry-after']]).toEqual([503, '5'])
  expect(await statusOf('/order/', { cookie: 'fantail=ben' })).toBe(503)
  expect(excess.figures()).toMatchObject({ refused: 4, atWork: { first: 0, known: 0, anyone: 200 } })
  goOn()
  expect(new Set(await Promise.all(flood))).toEqual(new Set([200]))
  expect(await statusOf('/any/')).toBe(200)
})

test('a browser that requests a page during overload gets a 503 with the "busy" page', async () => {
  const flood = Array.from({ length: 200 }, () => statusOf('/slow/any/'))
  await pollUntil(async () => excess.figures().atWork.anyone === 200)
  const page = await ask('/any/', { accept: 'text/html' })
  expect(page).toMatchObject({ statusCode: 503, body: '<p>Busy</p>' })
  expect(page.headers).toMatchObject({ 'retry-after': '5', 'content-security-policy': "default-src 'none'" })
  goOn()
  await Promise.all(flood)
})

test('costly requests queue separately for each route, so a flood on one route is limited and does not delay other routes', async () => {
  const flood = Array.from({ length: 60 }, () => statusOf('/slow/costly/'))
  await pollUntil(async () => excess.figures().refused === 8)
  expect(excess.figures()).toMatchObject({ atWork: { costly: 4 }, waiting: { costly: 48 } })
  expect([await statusOf('/costly/'), await statusOf('/any/')]).toEqual([200, 200])
  goOn()
  expect((await Promise.all(flood)).filter((status) => status === 200)).toHaveLength(52)
  expect(excess.figures()).toMatchObject({ atWork: { costly: 0 }, waiting: { costly: 0 } })
})

test('one address cannot fill the queue for costly requests', async () => {
  const flood = Array.from({ length: 60 }, () => ask('/slow/costly/', {}, '192.0.2.1'))
  await pollUntil(async () => excess.figures().refused === 36)
  const other = statusOf('/slow/costly/')
  await pollUntil(async () => excess.figures().waiting.costly === 21)
  goOn()
  expect(await other).toBe(200)
  await Promise.all(flood)
})
