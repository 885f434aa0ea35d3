import { once } from 'node:events'
import { Agent, get, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { pollUntil } from '#quality/support/poll-until.ts'
import { endpoint } from '../../contract/endpoint.ts'
import { createClock } from '../clock.ts'
import { createHttpApp, type HttpOptions } from '../http.ts'
import { route } from '../route.ts'
import { createSecrets } from '../secrets.ts'
import { serveRoutes } from '../serve-routes.ts'
import type { RequestContext } from '../request-context.ts'
import { type EndpointPriority, createOverloadProtection, type OverloadProtection } from './overload-protection.ts'

const path = '/api/report/'
const answer = v.object({ address: v.string() })
const sendReport = endpoint({ method: 'POST', path, summary: 'To us', body: v.object({}), output: answer })
const readReport = endpoint({ method: 'GET', path, summary: 'From us', output: answer })

let app: FastifyInstance
let excess: OverloadProtection
let failures: Error[]
let visits: RequestContext[]
let seen: number
afterEach(async () => {
  await app.close()
  excess.stop()
})

async function open({
  held = Promise.resolve(),
  admission,
  routes: moreRoutes,
  ...others
}: Partial<HttpOptions> & {
  held?: Promise<void>
  admission?: EndpointPriority
  routes?(server: FastifyInstance): void
} = {}): Promise<void> {
  ;[failures, visits, seen, excess] = [[], [], 0, createOverloadProtection({ secureCookies: false })]
  const options: HttpOptions = {
    db: null as never,
    clock: createClock(),
    secrets: createSecrets('secret'),
    publicUrl: 'http://localhost',
    secureCookies: false,
    trustedProxies: ['127.0.0.1'],
    logLevel: 'silent',
    findSession: async () => undefined,
    onFailure: (error) => void failures.push(error),
    excess,
    ...others,
  }
  app = await createHttpApp(options)
  app.server.on('request', () => void (seen += 1))
  app.addHook('preHandler', () => held)
  const answerOf = async ({ visit }: { visit: RequestContext }) => {
    visits.push(visit)
    return { address: visit.clientIp }
  }
  const routes = [route(sendReport, { access: 'anyone' }, answerOf), route(readReport, { access: 'anyone' }, answerOf)]
  serveRoutes(app, options, routes, { admissionOf: () => (admission ? { admission } : {}) })
  moreRoutes?.(app)
  await app.listen({ host: '127.0.0.1', port: 0 })
}

async function connected(): Promise<Socket> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}
const head = (method: string, ...lines: string[]): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: localhost', 'X-Forwarded-For: 203.0.113.9', ...lines, '', ''].join('\r\n')
const json = 'Content-Type: application/json'
const atWork = (): number => Object.values(excess.figures().atWork).reduce((sum, each) => sum + each, 0)

async function hangUpAfter(sent: string, isThere: () => boolean): Promise<void> {
  const { promise: noticed, resolve } = Promise.withResolvers<void>()
  app.server.once('connection', (socket: Socket) => socket.once('close', () => resolve()))
  const socket = await connected()
  socket.write(sent)
  await pollUntil(async () => isThere())
  socket.resetAndDestroy()
  await noticed
}

async function serveAsEver(): Promise<void> {
  expect((await app.inject({ url: path, headers: { 'x-forwarded-for': '203.0.113.9' } })).statusCode).toBe(200)
  await pollUntil(async () => atWork() === 0)
  expect(failures).toEqual([])
  expect(excess.figures()).toMatchObject({ refused: 0, waiting: { costly: 0 } })
}

test('a client that disconnects in the middle of the request headers is not reported as a failure', async () => {
  await open()
  await hangUpAfter(`POST ${path} HTTP/1.1\r\nHost: loc`, () => true)
  await serveAsEver()
  expect(visits).toHaveLength(1)
})

test('a client that disconnects before or during the request body is not reported as a failure', async () => {
  await open()
  for (const [nth, body] of ['', '{"a":'].entries())
    await hangUpAfter(head('POST', json, 'Content-Length: 100') + body, () => seen > nth)
  await serveAsEver()
  expect(visits).toHaveLength(1)
})

test("a request whose client disconnects early is still attributed to the client's IP address", async () => {
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
  await open({ held })
  await hangUpAfter(head('GET'), () => atWork() === 1)
  goOn()
  await pollUntil(async () => visits.length === 1)
  expect(visits[0]?.clientIp).toBe('203.0.113.9')
  await serveAsEver()
})

test('a client that disconnects before its address has been read is not reported as a failure', async () => {
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
  let isThere = false
  await open({
    held,
    excess: { hookInto: (server) => server.addHook('preHandler', async () => void (isThere = true)) },
  })
  await hangUpAfter(head('GET'), () => isThere)
  goOn()
  await pollUntil(async () => visits.length === 1)
  expect(failures).toEqual([])
})

test('a client that disconnects while queued gives up its turn to the next client', async () => {
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
  await open({ held, admission: 'costly' })
  const others = await Promise.all(Array.from({ length: 4 }, connected))
  for (const other of others) other.write(head('GET', 'Connection: close'))
  await pollUntil(async () => excess.figures().atWork.costly === 4)
  await hangUpAfter(head('GET'), () => excess.figures().waiting.costly === 1)
  expect(excess.figures().waiting.costly).toBe(0)
  const next = await connected()
  next.write(head('GET', 'Connection: close'))
  await pollUntil(async () => excess.figures().waiting.costly === 1)
  goOn()
  const answers = await Promise.all([...others, next].map(async (socket) => Buffer.concat(await socket.toArray())))
  for (const each of answers) expect(each.toString()).toMatch(/^HTTP\/1\.1 200 /)
  await pollUntil(async () => atWork() === 0)
  expect(failures).toEqual([])
})

test('a request whose body is still arriving counts neither as running nor as queued', async () => {
  await open({ admission: 'costly' })
  const slow = await Promise.all(Array.from({ length: 10 }, connected))
  for (const each of slow) each.write(head('POST', json, 'Content-Length: 100') + '{')
  await pollUntil(async () => seen === 10)
  expect(atWork()).toBe(0)
  await serveAsEver()
  for (const each of slow) each.destroy()
})

test('a request no longer counts as running if its client never reads the response, or disconnects after `reply.hijack()`', async () => {
  let handOver = (): void => {}
  await open({
    routes(server) {
      server.get('/large/', () => 'x'.repeat(32_000_000))
      server.get('/theirs/', (_request, reply) => {
        handOver()
        reply.hijack()
      })
    },
  })
  const idle = await connected()
  const answered = once(app.server, 'request').then(([, response]) => response as ServerResponse)
  idle.pause().write('GET /large/ HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const response = await answered
  await pollUntil(async () => response.headersSent && atWork() === 0)
  expect(response.writableFinished).toBe(false)
  idle.destroy()
  let isTheirs = false
  handOver = () => void (isTheirs = true)
  await hangUpAfter('GET /theirs/ HTTP/1.1\r\nHost: localhost\r\n\r\n', () => isTheirs)
  await pollUntil(async () => atWork() === 0)
})

test('answers 408 to a request whose headers or body are still incomplete after the time limit', async () => {
  await open({ requestMs: 400 })
  const began = performance.now()
  const answers = await Promise.all(
    [`GET ${path} HTTP/1.1\r\nHost: l`, head('POST', json, 'Content-Length: 100') + '{'].map(async (sent) => {
      const socket = await connected()
      socket.write(sent)
      return Buffer.concat(await socket.toArray()).toString()
    }),
  )
  for (const each of answers) expect(each).toMatch(/^HTTP\/1\.1 408 /)
  // By default, Node checks request timeouts only every thirty seconds.
  expect(performance.now() - began).toBeLessThan(15_000)
})

test("allows thirty seconds for a request's headers and for the whole request", async () => {
  await open()
  expect([app.server.headersTimeout, app.server.requestTimeout]).toEqual([30_000, 30_000])
})

describe('HTTP pipelining', () => {
  test('closes a connection that sends a hundred requests without reading a response, after starting two of them', async () => {
    const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
    await open({ held })
    const socket = await connected()
    const closed = once(socket, 'close')
    socket.write(head('GET').repeat(100))
    await closed
    goOn()
    await serveAsEver()
    expect(visits).toHaveLength(2 + 1)
  })

  test('serves any number of successive requests on a connection', async () => {
    await open()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let count = 0; count < 50; count++) {
      const response = await new Promise<IncomingMessage>((resolve, reject) =>
        get({ agent, port: (app.server.address() as AddressInfo).port, path }, resolve).on('error', reject),
      )
      await response.resume().toArray()
      expect(response.statusCode).toBe(200)
    }
    agent.destroy()
    expect(visits).toHaveLength(50)
  })
})
