import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { endpoint } from '../contract/endpoint.ts'
import { ApiError, toFormErrors, formMessages } from '../contract/errors.ts'
import { createBrowserApi, type BrowserApiOptions } from './api.tsx'
import { setCsrfToken } from './csrf.ts'
import { setFaultListener, type FaultListener } from './fault.ts'
import { getServerTime } from './server-time.ts'

const output = v.object({ ok: v.boolean() })
const read = endpoint({
  method: 'GET',
  path: '/api/things/:id/',
  summary: 'One thing',
  params: v.object({ id: v.string() }),
  output,
})
const write = endpoint({
  method: 'POST',
  path: '/api/things/',
  summary: 'A new thing',
  body: v.object({ name: v.string() }),
  output,
})
const poke = endpoint({ method: 'POST', path: '/api/poke/', summary: 'Nothing to say', output })

let server: Server | undefined

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener)
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function answering(
  status: number,
  body: string,
  headers: Record<string, string> = {},
  more: BrowserApiOptions = {},
) {
  const asked: { request: IncomingMessage; body: string }[] = []
  const origin = await serve(async (request, response) => {
    asked.push({ request, body: await text(request) })
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  })
  return { api: createBrowserApi({ origin, ...more }), asked }
}

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error: unknown) => error,
  )

beforeEach(() => setCsrfToken('tok-1'))
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

describe('createBrowserApi: API calls from the browser', () => {
  test('a GET request sends its parameters, query and CSRF token, but no body', async () => {
    const { api, asked } = await answering(200, '{"ok":true}')
    expect(await api.call(read, { params: { id: 'a/b' }, query: { page: '2' } })).toEqual({
      status: 200,
      data: { ok: true },
    })
    expect(asked[0]?.request.url).toBe('/api/things/a%2Fb/?page=2')
    expect(asked[0]?.request.headers).toMatchObject({ accept: 'application/json', 'x-csrftoken': 'tok-1' })
    expect(asked[0]?.request.headers['content-type']).toBeUndefined()
  })

  test("a POST request sends its body as JSON, and the caller's headers", async () => {
    const { api, asked } = await answering(202, '{"ok":false}')
    const answer = await api.call(write, { body: { name: 'Ō' }, headers: { 'idempotency-key': 'k-1' } })
    expect(answer).toEqual({ status: 202, data: { ok: false } })
    expect(asked[0]?.body).toBe('{"name":"Ō"}')
    expect(asked[0]?.request.method).toBe('POST')
    expect(asked[0]?.request.headers).toMatchObject({
      'content-type': 'application/json',
      'idempotency-key': 'k-1',
      'x-csrftoken': 'tok-1',
    })
  })

  test('a POST request without a body has no content type', async () => {
    const { api, asked } = await answering(200, '{"ok":true}')
    await api.call(poke, {})
    expect(asked[0]?.body).toBe('')
    expect(asked[0]?.request.headers['content-type']).toBeUndefined()
  })

  test.each([
    [400, '{"name":["This field is required."]}', { name: ['This field is required.'] }],
    [429, '{"detail":"slow down"}', { detail: 'slow down' }],
    [502, '<h1>Bad Gateway</h1>', undefined],
  ])('a response with status %i becomes an ApiError with that status and body', async (status, sent, body) => {
    const { api } = await answering(status, sent)
    const failure = await failureOf(api.call(poke, {}))
    expect(failure).toBeInstanceOf(ApiError)
    expect(failure).toMatchObject({ status, body })
  })

  test('sends the CSRF token from the header of the latest response with the next request', async () => {
    const { api, asked } = await answering(200, '{"ok":true}', { 'x-csrftoken': 'tok-2' })
    await api.call(poke, {})
    await api.call(poke, {})
    expect(asked.map(({ request }) => request.headers['x-csrftoken'])).toEqual(['tok-1', 'tok-2'])
  })

  describe('createBrowserApi: requests rejected because of an outdated CSRF token', () => {
    async function takingTheNewToken(refusal: { status: number; headers: Record<string, string> }) {
      const tokens: unknown[] = []
      const origin = await serve(async (request, response) => {
        tokens.push(request.headers['x-csrftoken'])
        const body = await text(request)
        if (tokens.at(-1) === 'tok-2') response.writeHead(200).end(body || '{"ok":true}')
        else response.writeHead(refusal.status, refusal.headers).end('{"code":"no"}')
      })
      return { api: createBrowserApi({ origin }), tokens }
    }
    const stale = { status: 403, headers: { 'x-csrftoken': 'tok-2' } }

    test('repeats the request once, with the same body and the new CSRF token from the 403 response', async () => {
      const { api, tokens } = await takingTheNewToken(stale)
      expect((await api.call(write, { body: { name: 'Ō' } })).data).toEqual({ name: 'Ō' })
      await api.call(poke, {})
      expect(tokens).toEqual(['tok-1', 'tok-2', 'tok-2'])
    })

    test('repeats every request when several are rejected at the same time', async () => {
      const { api, tokens } = await takingTheNewToken(stale)
      const answers = await Promise.all([1, 2, 3].map(() => api.call(poke, {})))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      expect(tokens).toHaveLength(6)
    })

    test('throws the error if the repeated request is also rejected', async () => {
      const { api, asked } = await answering(403, '{"code":"no"}', { 'x-csrftoken': 'tok-9' })
      setCsrfToken('tok-1')
      expect(await failureOf(api.call(poke, {}))).toMatchObject({ status: 403, body: { code: 'no' } })
      expect(asked).toHaveLength(2)
    })

    test.each([
      ['a 403 without a token', { status: 403, headers: {} }],
      ['a 403 with the token that was sent', { status: 403, headers: { 'x-csrftoken': 'tok-1' } }],
      ['a 400 with a new token', { status: 400, headers: { 'x-csrftoken': 'tok-3' } }],
    ])('does not repeat a request after %s', async (_refusal, refusal) => {
      const { api, tokens } = await takingTheNewToken(refusal)
      expect(await failureOf(api.call(poke, {}))).toMatchObject({ status: refusal.status })
      expect(tokens).toEqual(['tok-1'])
    })
  })

  test.each([
    [401, 1],
    [403, 0],
    [200, 0],
  ])('a response with status %i reports %i times that the visitor is not signed in', async (status, times) => {
    const onSignedOut = vi.fn<() => void>()
    const { api } = await answering(status, '{"ok":true}', {}, { onSignedOut })
    await failureOf(api.call(poke, {}))
    expect(onSignedOut).toHaveBeenCalledTimes(times)
  })

  test.each([
    [500, 1],
    [503, 1],
    [402, 1],
    [405, 1],
    [413, 1],
    [422, 1],
    [400, 0],
    [401, 0],
    [403, 0],
    [404, 0],
    [409, 0],
    [412, 0],
    [424, 0],
    [429, 0],
    [200, 0],
  ])(
    'a response with status %i is reported as a fault %i times, without its parameter values',
    async (status, times) => {
      const told = vi.fn<FaultListener>()
      setFaultListener(told)
      const { api } = await answering(status, '{"ok":true}', { 'x-request-id': 'r-1' })
      await failureOf(api.call(read, { params: { id: 'ana' }, query: { email: 'ana@example.nz' } }))
      setFaultListener(() => {})
      expect(told.mock.calls).toEqual([['call', read, expect.objectContaining({ status })]].slice(0, times))
      expect(told.mock.calls.map(([, , answer]) => answer?.headers.get('x-request-id'))).toEqual(
        ['r-1'].slice(0, times),
      )
    },
  )

  test('a response with status 400 that has no JSON body is reported as a fault', async () => {
    const told = vi.fn<FaultListener>()
    setFaultListener(told)
    const { api } = await answering(400, '<h1>Bad Request</h1>')
    await failureOf(api.call(poke, {}))
    setFaultListener(() => {})
    expect(told.mock.calls).toEqual([['call', poke, expect.objectContaining({ status: 400 })]])
  })

  test('a successful response that is not JSON counts as no response', async () => {
    const { api } = await answering(200, '<!doctype html>')
    expect(await failureOf(api.call(poke, {}))).toMatchObject({ name: 'ApiError', status: 0 })
  })

  test('a broken connection counts as no response', async () => {
    const origin = await serve((request) => request.socket.destroy())
    const failure = await failureOf(createBrowserApi({ origin }).call(poke, {}))
    expect(failure).toMatchObject({ name: 'ApiError', status: 0 })
    expect(toFormErrors(failure)).toEqual({ __all__: [formMessages.noAnswer] })
  })

  test.each(['before the answer', 'within the answer'])(
    'silence beyond the timeout, %s, counts as no response',
    async (when) => {
      const origin = await serve((_request, response) => {
        if (when === 'within the answer') response.writeHead(200).write('{"ok":')
      })
      const failure = await failureOf(createBrowserApi({ origin, timeout: 50 }).call(poke, {}))
      expect(failure).toMatchObject({ name: 'ApiError', status: 0 })
    },
  )
})

describe("getServerTime: the server's time in the browser", () => {
  const far = '2031-02-03T04:05:06.789Z'
  const gap = (): number => Math.abs(getServerTime().getTime() - Date.parse(far))

  test('getServerTime follows the time in the most recent response, including an error response', async () => {
    const { api } = await answering(400, '{}', { 'x-server-time': far, 'cache-control': 'no-store' })
    await failureOf(api.call(poke, {}))
    expect(gap()).toBeLessThan(20_000)
  })

  test('getServerTime ignores the time of a cacheable response and an invalid time', async () => {
    const { api } = await answering(200, '{"ok":true}', {
      'x-server-time': '2001-01-01T00:00:00Z',
      'cache-control': 'public, max-age=300',
    })
    await api.call(poke, {})
    expect(gap()).toBeLessThan(20_000)
    server?.close()
    const nonsense = await answering(200, '{"ok":true}', { 'x-server-time': 'soon' })
    await nonsense.api.call(poke, {})
    expect(gap()).toBeLessThan(20_000)
  })
})
