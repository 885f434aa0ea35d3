import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import type { ErrorEvent, ErrorReporter } from './errors.port.ts'
import { createSentryReporter, type SentryOptions } from './sentry.ts'

const event: ErrorEvent = {
  id: '0197c1e25b7e4c3a9d7e0a1b2c3d4e5f',
  at: '2026-11-21T00:00:00.000Z',
  side: 'browser',
  name: 'TypeError',
  message: 'tō is not a function',
  frames: ['/static/build/a1.js:1:20345', '/static/build/b2.js:3:7'],
  release: 'entry-client-a1.js',
  fingerprint: 'f00d',
  tags: { page: '/services/:uuid/', kind: 'render' },
}
let server: Server | undefined

async function serviceThat(
  answers: RequestListener,
  { path = '', ...options }: Partial<SentryOptions> & { path?: string } = {},
): Promise<ErrorReporter> {
  server = createServer(answers)
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  return createSentryReporter({
    dsn: `http://a-public-key@127.0.0.1:${(server.address() as AddressInfo).port}${path}/42`,
    timeoutMs: 30_000,
    ...options,
  })
}

const hangUp = async () => {
  server?.closeAllConnections()
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)))
  server = undefined
}
afterEach(hangUp)

async function sentOf(sent: ErrorEvent, path?: string) {
  const calls: { method?: string; path?: string; headers: Record<string, unknown>; body: string }[] = []
  const { send } = await serviceThat(
    async (request, response) => {
      calls.push({ method: request.method, path: request.url, headers: request.headers, body: await text(request) })
      response.end(`{"id":"${sent.id}"}`)
    },
    { path },
  )
  expect(await send(sent)).toBe('sent')
  expect(calls).toHaveLength(1)
  return calls[0]!
}

describe('requests to the error-reporting service', () => {
  test('an error is sent as an envelope with one event', async () => {
    const { method, path, headers, body } = await sentOf(event)
    expect({ method, path }).toEqual({ method: 'POST', path: '/api/42/envelope/' })
    expect(headers).toMatchObject({
      'content-type': 'application/x-sentry-envelope',
      'x-sentry-auth': 'Sentry sentry_version=7, sentry_client=fantail/1, sentry_key=a-public-key',
    })
    const [head = '', itemHead = '', item = '', ...rest] = body.split('\n')
    expect(rest).toEqual([''])
    expect(JSON.parse(head)).toEqual({ event_id: event.id, sent_at: event.at })
    expect(JSON.parse(itemHead)).toEqual({
      type: 'event',
      content_type: 'application/json',
      length: Buffer.byteLength(item),
    })
    expect(JSON.parse(item)).toEqual({
      event_id: event.id,
      timestamp: event.at,
      platform: 'javascript',
      level: 'error',
      exception: {
        values: [
          {
            type: 'TypeError',
            value: 'tō is not a function',
            mechanism: { type: 'generic', handled: false },
            // Sentry expects the outermost frame first.
            stacktrace: {
              frames: [
                { filename: '/static/build/b2.js', lineno: 3, colno: 7, in_app: true },
                { filename: '/static/build/a1.js', lineno: 1, colno: 20345, in_app: true },
              ],
            },
          },
        ],
      },
      tags: { page: '/services/:uuid/', kind: 'render' },
      release: 'entry-client-a1.js',
      fingerprint: ['f00d'],
    })
  })

  test('an error without frames, a release or a fingerprint is sent without those fields', async () => {
    const { body } = await sentOf({ ...event, side: 'server', frames: [], release: null, fingerprint: null })
    const sent = JSON.parse(body.split('\n')[2] ?? '')
    expect(sent).toMatchObject({ platform: 'node' })
    expect(sent).not.toHaveProperty('release')
    expect(sent).not.toHaveProperty('fingerprint')
    expect(sent.exception.values[0]).not.toHaveProperty('stacktrace')
  })

  test('keeps the path in a self-hosted service’s DSN', async () => {
    expect((await sentOf(event, '/errors')).path).toBe('/errors/api/42/envelope/')
  })
})

describe('responses from the error-reporting service', () => {
  test.each([[400], [401], [403], [404], [413]])(
    'an error that the service rejects with HTTP %i is never sent again',
    async (status) => {
      const { send } = await serviceThat((_request, response) => response.writeHead(status).end())
      expect(await send(event)).toBe('refused')
    },
  )

  test.each([
    ['5', 5],
    ['0', 1],
    ['999999', 3_600],
    [null, 60],
    ['soon', 60],
    ['Wed, 01 Jan 2020 00:00:00 GMT', 1],
  ])('a rate limit with retry-after %j pauses reporting for %i s', async (retryAfter, waitSeconds) => {
    const { send } = await serviceThat((_request, response) =>
      response.writeHead(429, retryAfter === null ? {} : { 'retry-after': retryAfter }).end(),
    )
    expect(await send(event)).toEqual({ waitSeconds })
  })

  test('a Retry-After header with a date pauses error reporting until that date', async () => {
    const { send } = await serviceThat((_request, response) =>
      response.writeHead(429, { 'retry-after': new Date(Date.now() + 30_000).toUTCString() }).end(),
    )
    expect(await send(event)).toEqual({
      waitSeconds: expect.toSatisfy((seconds: number) => seconds > 20 && seconds <= 30),
    })
  })

  test('an error counts as sent once the service responds with 200, even if the body never ends', async () => {
    const { send } = await serviceThat((_request, response) => void response.writeHead(200).write('{'))
    expect(await send(event)).toBe('sent')
  })
})

describe('failures after which an error report can be sent again', () => {
  test.each([[500], [502], [503], [408]])('an error report can be sent again after HTTP %i', async (status) => {
    const { send } = await serviceThat((_request, response) => response.writeHead(status).end('<html>'))
    expect(await faultOf(send)).toBe(`Error: the error-reporting service answered HTTP ${status}`)
  })

  test('an error report can be sent again after a timeout', async () => {
    const { send } = await serviceThat(() => {}, { timeoutMs: 50 })
    expect(await faultOf(send)).toBe('Error: the error-reporting service gave no answer: TimeoutError')
  })

  test('an error report can be sent again after a failed connection', async () => {
    const { send } = await serviceThat(() => {})
    await hangUp()
    expect(await faultOf(send)).toBe('Error: the error-reporting service gave no answer: ECONNREFUSED')
  })

  test('a redirect is not followed, and the error report can be sent again', async () => {
    const asked: unknown[] = []
    const { send } = await serviceThat((request, response) => {
      asked.push(request.url)
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    expect(await faultOf(send)).toMatch(/^Error: the error-reporting service gave no answer: /)
    expect(asked).toHaveLength(1)
  })

  /** Returns a failed report's error message as it would be logged, and checks that it does not contain the key. */
  async function faultOf(send: ErrorReporter['send']): Promise<string> {
    const error: unknown = await send(event).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Error)
    expect([error, (error as Error).cause, (error as Error).stack].map(String).join()).not.toContain('a-public-key')
    return String(error)
  }
})
