import { describe, expect, test } from 'vitest'
import type { Endpoint } from '#kit/contract/endpoint.ts'
import { useWorld } from '#quality/support/world.ts'
import { apiRoutes } from './api.ts'
import type { Deps } from './deps.ts'

const world = useWorld()

const routes = apiRoutes({} as Deps).map(({ endpoint }): [string, Endpoint] => [
  `${endpoint.method} ${endpoint.path}`,
  endpoint,
])
const kept = ['/api/products/', '/api/products/filters/']

describe.each(routes)('%s', (_name, { method, path, cache }) => {
  const url = path.replace(/:\w+/g, 'nothing-like-it')

  test('an API response is JSON with the endpoint’s cache rule, the server time and the security headers', async () => {
    const visitor = world().visitor()
    const answers = [
      await visitor.send(method, url),
      method === 'GET' ? await visitor.get(url) : await visitor.post(url, {}),
    ]
    for (const { status, body, headers } of answers) {
      expect(status).toBeLessThan(500)
      expect(typeof body).toBe('object')
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(headers.get('cache-control')).toBe(kept.includes(path) ? cache : 'no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('same-origin')
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(
        Math.abs(Date.parse(headers.get('x-server-time') ?? '') - world().deps.clock.now().epochMilliseconds),
      ).toBeLessThan(60_000)
    }
  })
})

test('only the API responses for products and their filters may be cached', () => {
  expect(routes.flatMap(([, { path, cache }]) => (cache ? [path] : []))).toEqual(kept)
})

test('GET /api/openapi.json describes one operation for each API endpoint', async () => {
  const { status, body, headers } = await world().visitor().get('/api/openapi.json')
  expect({ status, openapi: body.openapi, cache: headers.get('cache-control') }).toEqual({
    status: 200,
    openapi: '3.1.0',
    cache: 'no-store',
  })
  const described = Object.values(body.paths as Record<string, object>).flatMap((operations) => Object.keys(operations))
  expect(described).toHaveLength(routes.length)
})

test.each(['/api/', '/api/nothing/', '/api/activate', '/demo/api/nothing/', '/callbacks/'])(
  '%s, a path without a route, answers 404 in JSON',
  async (path) => {
    const { status, headers } = await world().visitor().get(path)
    expect({ status, type: headers.get('content-type'), cache: headers.get('cache-control') }).toEqual({
      status: 404,
      type: 'application/json; charset=utf-8',
      cache: 'no-store',
    })
  },
)
