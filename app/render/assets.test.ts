import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildSecurityHeaders } from '#kit/server/headers.ts'
import { createAsset, oneDayCache, immutableCache, readAssets, serveAssets } from './assets.ts'

const script = 'console.log("Kia ora")'
let app: FastifyInstance
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assets-'))
  await writeFile(join(folder, 'a-1.js'), script)
  await writeFile(join(folder, 'a-1.js.br'), brotliCompressSync(script))
  await writeFile(join(folder, 'a-1.js.gz'), gzipSync(script))
  await writeFile(join(folder, 'icon.svg'), '<svg/>')
  await writeFile(join(folder, 'manifest.json'), '{}')
  app = Fastify()
  const robots = createAsset('robots.txt', Buffer.from('User-agent: *'), oneDayCache)
  serveAssets(
    app,
    new Map([
      ...(await readAssets(folder, '/static/build/', immutableCache)),
      ...(await readAssets(folder, '/static/', oneDayCache)),
      ['/robots.txt', robots],
    ]),
  )
  await app.listen({ host: '127.0.0.1', port: 0 })
})

afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

/** Requests a path exactly as written, and returns the HTTP status. `fetch` and `inject` would normalise the path. */
function statusOf(path: string): Promise<number | undefined> {
  const { port } = app.server.address() as AddressInfo
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  ask({ host: '127.0.0.1', port, path }, (response) => resolve(response.resume().statusCode))
    .on('error', reject)
    .end()
  return promise
}

describe('static files', () => {
  test('a file from the build may be cached for a year', async () => {
    const answer = await get('/static/build/a-1.js')
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toBe(script)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
      'content-length': String(script.length),
    })
  })

  test.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, GZIP;q=0.5', 'gzip', gunzipSync],
  ])('a request that accepts %s gets the file compressed as %s', async (accepted, coding, unpack) => {
    const answer = await get('/static/build/a-1.js', { 'accept-encoding': accepted })
    expect(answer.headers['content-encoding']).toBe(coding)
    expect(unpack(answer.rawPayload).toString()).toBe(script)
  })

  test('a file without a compressed copy is served uncompressed', async () => {
    const answer = await get('/static/icon.svg', { 'accept-encoding': 'br' })
    expect(answer.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' })
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(answer.body).toBe('<svg/>')
  })

  test('an SVG file that is opened on its own cannot run scripts or load anything', async () => {
    expect((await get('/static/icon.svg')).headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'unsafe-inline'",
    )
    expect((await get('/static/build/a-1.js')).headers['content-security-policy']).toBeUndefined()
  })

  test('a static file is sent with only those security headers that matter for files', async () => {
    const product = Fastify()
    product.addHook(
      'onRequest',
      async (_request, reply) =>
        void reply.headers({
          ...buildSecurityHeaders({ secure: true, development: false }),
          'x-server-time': 'now',
          'x-request-id': '1',
        }),
    )
    serveAssets(product, new Map([['/static/a.js', createAsset('a.js', Buffer.from(script), immutableCache)]]))
    const { headers } = await product.inject('/static/a.js')
    expect(
      Object.keys(headers)
        .filter((name) => !['connection', 'date', 'content-length'].includes(name))
        .toSorted(),
    ).toEqual(['cache-control', 'content-type', 'etag', 'strict-transport-security', 'vary', 'x-content-type-options'])
    await product.close()
  })

  test('robots.txt is served at /robots.txt, but the same path with a trailing slash gets 404', async () => {
    const answer = await get('/robots.txt')
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'public, max-age=86400',
    })
    expect(answer.body).toBe('User-agent: *')
    expect((await get('/robots.txt/')).statusCode).toBe(404)
  })

  test('a request with the current ETag gets 304 without a body', async () => {
    const { headers } = await get('/static/icon.svg')
    const again = await get('/static/icon.svg', { 'if-none-match': String(headers.etag) })
    expect(again.statusCode).toBe(304)
    expect(again.body).toBe('')
  })

  test('a static file is served whatever its query string', async () =>
    expect((await get('/static/icon.svg?v=2')).statusCode).toBe(200))

  test('a HEAD request for a static file gets no body', async () => {
    const answer = await app.inject({ method: 'HEAD', url: '/static/icon.svg' })
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toBe('')
  })

  test.each([
    '/static/build/nothing.js',
    '/static/build/manifest.json',
    '/static/build/a-1.js.br',
    '/static/build/',
    '/static/',
    '/static/build/../icon.svg',
    '/static/build/../../package.json',
    '/static/build/..%2ficon.svg',
    '/static/build/%2e%2e/icon.svg',
    '/static/build/%2e%2e%2f%2e%2e%2fpackage.json',
    '/static/build/%61-1.js',
    '/static/build//a-1.js',
    '/static//etc/passwd',
    '/static/build/..\\icon.svg',
    '/static/build/a-1.js%00.svg',
    '/static/__proto__',
  ])('the static path %s answers 404', async (path) => expect(await statusOf(path)).toBe(404))
})
