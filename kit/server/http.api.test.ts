import { describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { useRouteServer } from '#quality/support/route-server.ts'
import { endpoint } from '../contract/endpoint.ts'
import { requiredText } from '../contract/schema.ts'
import { buildSecurityHeaders } from './headers.ts'
import { notFound } from './http-error.ts'
import { route } from './route.ts'

const bird = v.object({
  name: requiredText('Say its name.'),
  legs: v.pipe(v.optional(v.number(), 0), v.maxValue(2, 'That is no bird.')),
})
const addBird = endpoint({
  method: 'POST',
  path: '/api/birds/',
  summary: 'One more',
  body: bird,
  output: bird,
  statuses: { 202: v.object({ later: v.boolean() }) },
})
const listBirds = endpoint({
  method: 'GET',
  path: '/api/birds/',
  summary: 'All of them',
  output: v.array(v.string()),
  cache: 'public, max-age=60',
})
const watchBirds = endpoint({
  method: 'GET',
  path: '/api/birds/watch/',
  summary: 'Just looking',
  output: v.array(v.string()),
})
const ringBird = endpoint({
  method: 'POST',
  path: '/api/birds/ring/',
  summary: 'A word on its leg',
  body: v.object({ word: v.string() }),
  output: v.object({}),
  maxBytes: 100,
})
const readBird = endpoint({
  method: 'GET',
  path: '/api/birds/:name/',
  summary: 'One',
  params: v.object({ name: v.string() }),
  output: bird,
})

const rig = useRouteServer(() => [
  route(listBirds, { access: 'anyone' }, async () => ['pīwakawaka'] as string[]),
  route(watchBirds, { access: 'anyone' }, async () => [] as string[]),
  route(ringBird, { access: 'anyone' }, async () => ({})),
  route(readBird, { access: 'anyone' }, async ({ params }) => {
    if (params.name === 'moa') throw notFound()
    throw new Error(`the ${params.name} has flown: secret=42`)
  }),
  route(addBird, { access: 'anyone' }, async ({ body }) =>
    body.name === 'kea' ? { status: 202, body: { later: true } } : body,
  ),
])

describe('HTTP server responses', () => {
  test.each([
    ['GET', '/api/birds/', 200],
    ['GET', '/api/birds/moa/', 404],
    ['GET', '/api/birds/kiwi/', 500],
    ['POST', '/api/birds/', 403],
    ['GET', '/nothing/here', 404],
  ])('the response to %s %s has the security headers', async (method, path, status) => {
    const answer = await rig().visitor().send(method, path)
    expect(answer.status).toBe(status)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    })
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
  })

  test.each(['/api/birds/', '/api/birds/kiwi/', '/nothing/here', '/api/%'])(
    'each response to %s has its own x-request-id, whatever ID the client sends',
    async (path) => {
      const ids = new Set<string | null>()
      for (let times = 0; times < 2; times++)
        ids.add(
          (await rig().visitor().get(path, { 'x-request-id': 'mine', 'request-id': 'mine' })).headers.get(
            'x-request-id',
          ),
        )
      expect([...ids]).toEqual([
        expect.stringMatching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/),
        expect.stringMatching(/^[\da-f-]{36}$/),
      ])
    },
  )

  test("the x-server-time header of a response follows the application's clock", async () => {
    rig().clock.setOffset(40 * 86_400_000)
    const { headers } = await rig().visitor().get('/api/birds/')
    const ahead = Date.parse(headers.get('x-server-time') ?? '') - Date.now()
    expect(Math.abs(ahead - 40 * 86_400_000)).toBeLessThan(60_000)
    rig().clock.setOffset(0)
  })

  test('a response is no-store unless its endpoint declares how it may be cached', async () => {
    const visitor = rig().visitor()
    const cacheOf = async (path: string) => (await visitor.get(path)).headers.get('cache-control')
    expect(await cacheOf('/api/birds/')).toBe('public, max-age=60')
    expect(await cacheOf('/api/birds/moa/')).toBe('no-store')
    expect(await cacheOf('/api/birds/kiwi/')).toBe('no-store')
    expect((await visitor.post('/api/birds/', { name: 'kiwi', legs: 2 })).headers.get('cache-control')).toBe('no-store')
  })

  test('sends Strict-Transport-Security only over TLS', () => {
    expect(buildSecurityHeaders({ secure: true, development: false })['strict-transport-security']).toMatch(
      /^max-age=31536000/,
    )
    expect(buildSecurityHeaders({ secure: false, development: false })).not.toHaveProperty('strict-transport-security')
  })
})

describe('reading request bodies', () => {
  test("a request with a valid body gets the endpoint's response, with a status that the contract allows", async () => {
    const visitor = rig().visitor()
    expect(await visitor.post('/api/birds/', { name: 'kiwi', legs: 2, price: 0 })).toMatchObject({
      status: 200,
      body: { name: 'kiwi', legs: 2 },
    })
    expect(await visitor.post('/api/birds/', { name: 'kea', legs: 2 })).toMatchObject({
      status: 202,
      body: { later: true },
    })
  })

  test('reports every invalid field of a request body', async () => {
    const { status, body } = await rig().visitor().post('/api/birds/', { legs: 4 })
    expect({ status, body }).toEqual({ status: 400, body: { name: ['Say its name.'], legs: ['That is no bird.'] } })
  })

  test.each([['text'], [7], [true]])('rejects the body %o, which has no fields', async (body) => {
    expect(await rig().visitor().post('/api/birds/', body)).toMatchObject({
      status: 400,
      body: { __all__: [expect.any(String)] },
    })
  })

  test('treats an empty request body as a form without fields', async () => {
    const visitor = rig().visitor()
    await visitor.get('/api/birds/watch/')
    const headers = { 'content-type': 'application/json', 'x-csrftoken': visitor.cookie('csrftoken') ?? '' }
    expect(await visitor.send('POST', '/api/birds/', { headers })).toMatchObject({
      status: 400,
      body: { name: ['Say its name.'] },
    })
  })

  test.each([
    ['malformed JSON', '{"name":', 'application/json', 400, 'We could not read that request.'],
    ['form-encoded', 'name=kiwi', 'application/x-www-form-urlencoded', 415, 'Please send JSON.'],
    ['JSON declared as plain text', '{"name":"kiwi","legs":2}', 'text/plain', 415, 'Please send JSON.'],
    ['too large', JSON.stringify({ name: 'k'.repeat(70_000) }), 'application/json', 413, 'That request is too large.'],
    [
      'JSON with a __proto__ key',
      '{"name":"kiwi","legs":2,"__proto__":{"admin":true}}',
      'application/json',
      400,
      'We could not read that request.',
    ],
  ])('rejects a body that is %s with a single sentence', async (_what, body, type, status, sentence) => {
    const visitor = rig().visitor()
    await visitor.get('/api/birds/watch/')
    const answer = await visitor.send('POST', '/api/birds/', {
      body,
      headers: { 'content-type': type, 'x-csrftoken': visitor.cookie('csrftoken') ?? '' },
    })
    expect(answer).toMatchObject({ status, body: { __all__: [sentence] } })
  })
})

test('rejects a request body of more than 16 KB', async () => {
  const visitor = rig().visitor()
  expect(await visitor.post('/api/birds/', { name: 'k'.repeat(16_000) })).toMatchObject({
    status: 400,
    body: { name: ['Please use fewer characters.'] },
  })
  expect(await visitor.post('/api/birds/', { name: 'k'.repeat(17_000) })).toMatchObject({
    status: 413,
    body: { __all__: ['That request is too large.'] },
  })
})

test('an endpoint can set its own limit for the size of a request body', async () => {
  const visitor = rig().visitor()
  expect((await visitor.post('/api/birds/ring/', { word: 'k'.repeat(80) })).status).toBe(200)
  expect(await visitor.post('/api/birds/ring/', { word: 'k'.repeat(100) })).toMatchObject({
    status: 413,
    body: { __all__: ['That request is too large.'] },
  })
})

test('answers 500 to an internal error, without its details', async () => {
  const { status, body } = await rig().visitor().get('/api/birds/kiwi/')
  expect({ status, body }).toEqual({
    status: 500,
    body: { code: 'Something went wrong. Please try refreshing the page.' },
  })
})

test.each(['/api/birds', '/api/birds/kiwi', '/API/birds/'])(
  'answers 404 to %s because paths are lower case and end with a slash',
  async (path) => {
    expect((await rig().visitor().get(path)).status).toBe(404)
  },
)
