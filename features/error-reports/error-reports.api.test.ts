import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { transact } from '#kit/server/db.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { startWorld, type World } from '#quality/support/world.ts'
import { countErrorOccurrence, listErrors, maxErrors } from './server/error-reports.store.ts'

const received: { path: string | undefined; event: Record<string, any> }[] = [] // oxlint-disable-line typescript/no-explicit-any
let failures = 0
const service = createServer(async (request, response) => {
  const [, , event = '{}'] = (await text(request)).split('\n')
  if (failures > 0) {
    failures -= 1
    // The last failing request gets a 500 response; the earlier ones get no response at all.
    if (failures === 0) response.writeHead(500).end()
    return
  }
  received.push({ path: request.url, event: JSON.parse(event) })
  response.end('{}')
})
let world: World

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  world = await startWorld({
    env: { ERROR_REPORTING_DSN: `http://a-key@127.0.0.1:${(service.address() as AddressInfo).port}/42` },
  })
})
afterAll(async () => {
  await world?.close()
  service.closeAllConnections()
  service.close()
})
beforeEach(async () => {
  await pollUntil(async () => (await world.deps.jobs.unfinished()) === 0)
  await world.db.deleteFrom('rate_limits').execute()
  await world.db.deleteFrom('browser_errors').execute()
  received.length = 0
})

const report = {
  kind: 'render',
  name: 'TypeError',
  message: 'x is not a function',
  frames: ['/static/build/a1.js:1:20345', '/static/build/b2.js:1:7'],
  page: '/services/:uuid/',
  request_id: null,
  build: 'entry-client-a1.js',
  browser: 'Firefox 140',
}
const send = (visitor: Visitor, change: object = {}) => visitor.post('/api/errors/', { ...report, ...change })

function listenToLog(): string[] {
  const lines: string[] = []
  vi.spyOn(world.deps.log, 'error').mockImplementation(
    (details, message) => void lines.push(JSON.stringify({ ...details, message })),
  )
  return lines
}

describe('error reports from browsers', () => {
  test('identical browser errors are counted together, and each report is logged with the ID of its own request', async () => {
    const lines = listenToLog()
    const first = await send(world.visitor(), { request_id: '0197c1e2-5b7e-4c3a-9d7e-0a1b2c3d4e5f' })
    expect({ status: first.status, body: first.body }).toEqual({ status: 200, body: {} })
    const [before] = await listErrors(world.db, 10)
    await send(world.visitor(), { build: 'entry-client-c3.js' })
    await send(world.visitor(), { page: '/login/' })

    const [, after] = await listErrors(world.db, 10)
    expect(await listErrors(world.db, 10)).toHaveLength(2)
    expect(before).toMatchObject({
      kind: 'render',
      name: 'TypeError',
      message: 'x is not a function',
      top_frame: '/static/build/a1.js:1:20345',
      page: '/services/:uuid/',
      build: 'entry-client-a1.js',
      count: 1,
    })
    expect(after).toMatchObject({
      fingerprint: before?.fingerprint,
      build: 'entry-client-c3.js',
      count: 2,
      first_seen: before?.first_seen,
    })
    expect(after?.last_seen.getTime()).toBeGreaterThanOrEqual(before?.last_seen.getTime() ?? Infinity)

    expect(lines).toHaveLength(3)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      reqId: first.headers.get('x-request-id'),
      fingerprint: before?.fingerprint,
      failed: '0197c1e2-5b7e-4c3a-9d7e-0a1b2c3d4e5f',
      message: 'a browser reported an error',
    })
  })

  test('the server removes personal data from every error report that a browser sends', async () => {
    const lines = listenToLog()
    const secrets = [
      'ana.rewi@example.nz',
      '0215550142',
      'Korimako',
      '4111 1111 1111 1',
      '0197c1e2-5b7e-4c3a-9d7e-0a1b2c3d4e5f',
      'my.example.nz',
    ]
    const message = `no ${secrets[0]} of ${secrets[1]} with "${secrets[2]}" and ${secrets[3]} at ${secrets[4]} on https://${secrets[5]}/x`
    const answer = await send(world.visitor(), {
      message,
      email: secrets[0],
      url: '/services/7/',
      user_agent: 'Mozilla/5.0',
      frames: [],
    })
    expect(answer.status).toBe(200)
    const [row] = await listErrors(world.db, 10)
    expect(row?.message).toBe('no <email> of <number> with <text> and <number> at <id> on <link>')
    await pollUntil(async () => received.length > 0)
    const left = JSON.stringify([row, received]) + lines.join()
    for (const secret of [...secrets, 'services/7', 'Mozilla']) expect(left).not.toContain(secret)
  })

  test.each([
    ['no fields', {}],
    ['a message that is too long', { ...report, message: 'x'.repeat(301) }],
    ['a URL for a page', { ...report, page: '/verify/?token=abc' }],
    ['a path for a page', { ...report, page: '/services/0197c1e2-5b7e-4c3a-9d7e-0a1b2c3d4e5f/' }],
    ['a foreign frame', { ...report, frames: ['https://evil.example/a.js:1:2'] }],
    ['too many frames', { ...report, frames: Array.from({ length: 21 }, () => report.frames[0]) }],
    ['an unknown kind', { ...report, kind: 'click' }],
    ['a card number', { ...report, message: '4111 1111 1111 1111' }],
    ['a NUL character', { ...report, message: 'a\0b' }],
    ['half of a surrogate pair', { ...report, message: 'a\ud800' }],
    ['a list in place of an object', [report]],
  ])('rejects an error report with %s', async (_what, body) => {
    expect((await world.visitor().post('/api/errors/', body)).status).toBe(400)
    expect(await listErrors(world.db, 10)).toEqual([])
  })

  test('responds with 413 to an error report larger than a few KB', async () => {
    expect((await send(world.visitor(), { more: 'x'.repeat(9_000) })).status).toBe(413)
  })

  test('rejects an error report that lacks the session’s CSRF token', async () => {
    const visitor = world.visitor()
    expect(
      (
        await visitor.send('POST', '/api/errors/', {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(report),
        })
      ).status,
    ).toBe(403)
    expect(await listErrors(world.db, 10)).toEqual([])
  })

  test(
    'accepts up to twenty error reports an hour from one session and sixty from one IP address',
    { tags: ['slow'] },
    async () => {
      const busy = world.visitor()
      const statuses: number[] = []
      for (let each = 0; each < 21; each++) statuses.push((await send(busy)).status)
      expect(statuses).toEqual([...Array(20).fill(200), 429])
      expect((await send(busy)).headers.get('retry-after')).toMatch(/^\d+$/)
      const others: number[] = []
      for (let who = 0; who < 2; who++) {
        const visitor = world.visitor()
        for (let each = 0; each < 20; each++) others.push((await send(visitor)).status)
      }
      expect(others).toEqual(Array(40).fill(200))
      expect((await send(world.visitor())).status).toBe(429)
      expect(await listErrors(world.db, 10)).toMatchObject([{ count: 60 }])
    },
  )
})

test('at most a thousand browser errors are kept, and a new error replaces the one that was seen longest ago', async () => {
  const error = { kind: 'error', name: 'Error', message: 'm', top_frame: null, page: '/', build: 'b' } as const
  const old = new Date('2026-01-01T00:00:00Z')
  const rows = Array.from({ length: maxErrors }, (_, at) => ({
    ...error,
    fingerprint: `f${at}`,
    first_seen: old,
    last_seen: new Date(old.getTime() + at),
    count: 1,
  }))
  await world.db.insertInto('browser_errors').values(rows).execute()
  await transact(world.db, (trx) => countErrorOccurrence(trx, { ...error, fingerprint: 'f0' }))
  await transact(world.db, (trx) => countErrorOccurrence(trx, { ...error, fingerprint: 'new' }))
  const left = (await listErrors(world.db, 2_000)).map(({ fingerprint }) => fingerprint)
  expect(left).toHaveLength(maxErrors)
  expect(left).toEqual(expect.arrayContaining(['new', 'f0', 'f2']))
  expect(left).not.toContain('f1')
})

describe('errors forwarded to the error-reporting service', () => {
  test('a browser error is forwarded with its page, build and request ID', async () => {
    await send(world.visitor(), {
      kind: 'call',
      name: 'ApiError',
      message: 'GET /api/plans/ answered 503',
      request_id: '0197c1e2-5b7e-4c3a-9d7e-0a1b2c3d4e5f',
    })
    await pollUntil(async () => received.length > 0)
    const [row] = await listErrors(world.db, 1)
    expect(received).toMatchObject([
      {
        path: '/api/42/envelope/',
        event: {
          platform: 'javascript',
          release: 'entry-client-a1.js',
          fingerprint: [row?.fingerprint],
          tags: {
            page: '/services/:uuid/',
            kind: 'call',
            browser: 'Firefox 140',
            request_id: '0197c1e2-5b7e-4c3a-9d7e-0a1b2c3d4e5f',
          },
        },
      },
    ])
  })

  test(
    'a failing error-reporting service does not delay requests, and receives the error exactly once in the end',
    { tags: ['slow'] },
    async () => {
      failures = 2
      expect((await send(world.visitor(), { message: 'late' })).status).toBe(200)
      expect(failures).toBeGreaterThan(0)
      await pollUntil(async () => received.length > 0)
      await pollUntil(async () => (await world.deps.jobs.unfinished()) === 0)
      expect(received).toMatchObject([{ event: { exception: { values: [{ value: 'late' }] } } }])
    },
  )

  test('a server error is forwarded with its route and request ID, and is not stored as a browser error', async () => {
    const visitor = world.visitor()
    const table = world.db
    await table.schema.alterTable('products').renameTo('products_elsewhere').execute()
    try {
      const answer = await visitor.get('/api/products/?secret=ana@example.nz')
      expect(answer.status).toBe(500)
      await pollUntil(async () => received.length > 0)
      expect(received[0]?.event).toMatchObject({
        platform: 'node',
        exception: {
          values: [
            {
              type: expect.any(String),
              stacktrace: {
                frames: expect.arrayContaining([
                  {
                    filename: expect.stringMatching(/^features\/plans\/server\//),
                    in_app: true,
                    lineno: expect.any(Number),
                    colno: expect.any(Number),
                  },
                ]),
              },
            },
          ],
        },
        tags: {
          kind: 'request',
          route: '/api/products/',
          request_id: answer.headers.get('x-request-id'),
          code: '42P01',
        },
      })
      expect(JSON.stringify(received)).not.toContain('secret')
    } finally {
      await table.schema.alterTable('products_elsewhere').renameTo('products').execute()
    }
    expect(await listErrors(world.db, 10)).toEqual([])
  })
})
