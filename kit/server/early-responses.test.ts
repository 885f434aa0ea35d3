import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendOversizedBody } from '#quality/support/send-oversized.ts'
import { createClock } from './clock.ts'
import { createHttpApp } from './http.ts'
import { HttpError } from './http-error.ts'
import { createSecrets } from './secrets.ts'

let app: FastifyInstance
let origin: string
beforeAll(async () => {
  app = await createHttpApp({
    db: null as never,
    clock: createClock(),
    secrets: createSecrets('secret'),
    publicUrl: 'http://localhost',
    secureCookies: false,
    trustedProxies: [],
    logLevel: 'silent',
    findSession: async () => undefined,
  })
  app.addContentTypeParser('text/csv', (_request, body, done) => done(null, body))
  app.post('/form/', () => 'done')
  app.post('/unread/', () => {
    throw new HttpError(404, { code: 'Not found.' })
  })
  app.post('/half-read/', async ({ body }) => {
    for await (const part of (body as Readable).iterator({ destroyOnReturn: false }))
      throw new HttpError(413, { code: `Files can be up to ${part.length - 1} bytes.` })
  })
  origin = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

const json = { 'content-type': 'application/json' }
const csv = { 'content-type': 'text/csv' }
const megabytes = 1024 * 1024

test.each([
  ['a form with a content length', '/form/', json, 413, 5 * megabytes],
  ['a form in chunks', '/form/', json, 413, 'chunked'],
  ['a file that nobody reads, with a content length', '/unread/', csv, 404, 5 * megabytes],
  ['a file that nobody reads, in chunks', '/unread/', csv, 404, 'chunked'],
  ['a file that is read in part, with a content length', '/half-read/', csv, 413, 5 * megabytes],
  ['a file that is read in part, in chunks', '/half-read/', csv, 413, 'chunked'],
  ['a file for a path that does not exist', '/nothing/', csv, 404, 'chunked'],
] as const)(
  'a client that is still sending %s gets the response, and its connection is not reset',
  async (_what, path, headers, status, length) => {
    const answer = await sendOversizedBody(origin, { path, headers, length })
    expect(answer).toMatchObject({ status, isReset: false })
    expect(answer.text).toContain('connection: close')
  },
)

test.each([
  ['/form/', json, 413],
  ['/unread/', csv, 404],
  ['/half-read/', csv, 413],
] as const)(
  'a browser that sends its whole body before reading still gets the response from %s',
  async (path, headers, status) => {
    const answer = await sendOversizedBody(origin, { path, headers, length: 20 * megabytes, readsLast: true })
    expect(answer).toMatchObject({ status, isReset: false, sentBytes: 20 * megabytes })
  },
)

test('cuts off a client that sends an endless request body', async () => {
  const answer = await sendOversizedBody(origin, { path: '/form/', headers: json, length: 'chunked', readsLast: true })
  expect(answer.sentBytes).toBeLessThan(200 * megabytes)
})

test('keeps the connection open after rejecting a small request body', async () => {
  const answer = await app.inject({ method: 'POST', url: '/unread/', headers: json, payload: '{}' })
  expect(answer.statusCode).toBe(404)
  expect(answer.headers['connection']).not.toBe('close')
})
