import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { endpoint } from '../contract/endpoint.ts'
import { createClock } from './clock.ts'
import { createHttpApp, type HttpOptions } from './http.ts'
import { serveRoutes } from './serve-routes.ts'
import { route } from './route.ts'
import { createSecrets } from './secrets.ts'

const whoAmI = endpoint({
  method: 'GET',
  path: '/api/who/',
  summary: 'Who is asking',
  output: v.object({ address: v.string() }),
})

const optionsOf = (options: Partial<HttpOptions>): HttpOptions => ({
  db: null as never,
  clock: createClock(),
  secrets: createSecrets('secret'),
  publicUrl: 'https://my.example.nz',
  secureCookies: false,
  trustedProxies: [],
  logLevel: 'silent',
  findSession: async () => undefined,
  ...options,
})

async function ask(
  options: Partial<HttpOptions>,
  request: { remoteAddress?: string; headers?: Record<string, string> } = {},
) {
  const http = optionsOf(options)
  const app = await createHttpApp(http)
  serveRoutes(app, http, [route(whoAmI, { access: 'anyone' }, async ({ visit }) => ({ address: visit.clientIp }))])
  return app.inject({ method: 'GET', url: '/api/who/', ...request })
}

describe("determining a visitor's IP address", () => {
  const claim = { 'x-forwarded-for': '203.0.113.9' }

  test("takes the visitor's address from the connection when no proxy is configured", async () => {
    expect((await ask({}, { remoteAddress: '198.51.100.7', headers: claim })).json()).toEqual({
      address: '198.51.100.7',
    })
  })

  test("takes the visitor's address from the forwarding header only if a configured proxy sent that header", async () => {
    const trustedProxies = ['10.0.0.0/8']
    expect((await ask({ trustedProxies }, { remoteAddress: '10.1.2.3', headers: claim })).json()).toEqual({
      address: '203.0.113.9',
    })
    expect((await ask({ trustedProxies }, { remoteAddress: '198.51.100.7', headers: claim })).json()).toEqual({
      address: '198.51.100.7',
    })
  })

  test('takes the last address added by a trusted proxy, not one sent by the visitor', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.1, 203.0.113.9' }
    expect((await ask({ trustedProxies: ['10.1.2.3'] }, { remoteAddress: '10.1.2.3', headers })).json()).toEqual({
      address: '203.0.113.9',
    })
  })

  test.each([
    ['203.0.113.9:4711', '203.0.113.9'],
    ['203.0.113.9:4712', '203.0.113.9'],
    ['[2001:db8::1]:443', '2001:db8:0:0::/64'],
    ['203.0.113.9, 10.9.9.9:5000', '203.0.113.9'],
    ['203.0.113.9, unknown', '10.1.2.3'],
    ['unknown', '10.1.2.3'],
  ])("reads the visitor's address from the X-Forwarded-For header %s", async (forwarded, address) => {
    expect(
      (
        await ask(
          { trustedProxies: ['10.0.0.0/8'] },
          { remoteAddress: '10.1.2.3', headers: { 'x-forwarded-for': forwarded } },
        )
      ).json(),
    ).toEqual({ address })
  })

  test("falls back to the proxy's address if the forwarded addresses are invalid and very long", async () => {
    const headers = { 'x-forwarded-for': `${'1.'.repeat(2_000)}, ${':'.repeat(4_000)}` }
    expect((await ask({ trustedProxies: ['10.0.0.0/8'] }, { remoteAddress: '10.1.2.3', headers })).json()).toEqual({
      address: '10.1.2.3',
    })
  })
})

test('with secure cookies on, the session cookie has the __Host- prefix and the Secure attribute', async () => {
  const { headers } = await ask({ secureCookies: true })
  const [session, token] = [headers['set-cookie']].flat()
  expect(session).toMatch(/^__Host-fantail=\S+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  expect(token).toMatch(/^csrftoken=\S+; Max-Age=2592000; Path=\/; Secure; SameSite=Lax$/)
  expect(headers['strict-transport-security']).toContain('max-age=')
})

test('answers a request on a connection that was opened before the server started to close', async () => {
  const app = await createHttpApp(optionsOf({}))
  app.get('/healthz', () => ({ status: 'ok' }))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(app.server, 'connection')
  const closed = app.close()
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  expect(Buffer.concat((await socket.toArray()) as Buffer[]).toString()).toMatch(/^HTTP\/1\.1 200 /)
  await closed
})

test('a request that never completes does not prevent the server from closing', async () => {
  const app = await createHttpApp(optionsOf({}))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n')
  await once(app.server, 'connection')
  const began = performance.now()
  await app.close()
  // `app/run.ts` allows nine seconds for the whole shutdown, so closing the server must take less than that.
  expect(performance.now() - began).toBeLessThan(8_000)
}, 15_000)
