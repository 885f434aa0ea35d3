import { readdirSync, readFileSync } from 'node:fs'
import { connect, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testColours } from '#quality/support/test-brand-assets.ts'
import { type GuideContext, guideRoutes, fillGuideTemplate } from './guide.routes.ts'

const folder = join(import.meta.dirname, 'guide')
const names = readdirSync(folder)
const brand = { name: 'Kea & Co', shortName: 'Kea', mark: '/static/brand/mark-1a2b3c4d.svg' }
const context: GuideContext = { code: 'NZ', deskUrl: 'http://localhost:1234', brand }
const read = (name: string, changes: Partial<GuideContext> = {}) =>
  fillGuideTemplate(readFileSync(join(folder, name), 'utf8'), { ...context, ...changes })

let app: FastifyInstance
beforeAll(async () => {
  app = Fastify()
  guideRoutes(app, { ...context, colours: testColours })
  await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => app.close())

const get = (url: string) => app.inject({ url })

test.each([
  ['/demo/', 'guide.html', 'text/html; charset=utf-8'],
  ['/demo/mailbox/', 'mailbox.html', 'text/html; charset=utf-8'],
  ['/demo/mailbox/?to=ana%40example.nz', 'mailbox.html', 'text/html; charset=utf-8'],
  ['/demo/guide/guide.css', 'guide.css', 'text/css; charset=utf-8'],
  ['/demo/guide/guide.js', 'guide.js', 'text/javascript; charset=utf-8'],
  ['/demo/guide/mailbox.js', 'mailbox.js', 'text/javascript; charset=utf-8'],
])('%s serves the file %s', async (url, name, type) => {
  const answer = await get(url)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toBe(type)
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.body).toBe(read(name))
})

test.each([
  '/demo/guide/',
  '/demo/guide/guide.html',
  '/demo/guide/letter.d.ts',
  '/demo/guide/nothing.js',
  '/demo/guide/constructor',
  '/demo/api/fixtures/',
])('the demo guide answers 404 to the path %s', async (url) => expect((await get(url)).statusCode).toBe(404))

test('the demo guide’s routes answer 404 to POST, PUT and DELETE', async () => {
  for (const method of ['POST', 'PUT', 'DELETE'] as const) {
    expect((await app.inject({ method, url: '/demo/' })).statusCode).toBe(404)
  }
})

// Send these paths over a raw socket, because HTTP clients would normalise them.
test.each([
  '/demo/guide/../guide.routes.ts',
  '/demo/guide/..%2fguide.routes.ts',
  '/demo/guide/%2e%2e/guide.routes.ts',
  '/demo/guide/..\\guide.routes.ts',
  '/demo/guide/....//guide.routes.ts',
  '/demo/guide/guide.css%00.js',
  '/demo/guide//etc/passwd',
  '/demo/mailbox/../../package.json',
])('no path leads outside the demo guide’s folder: %s', async (path) => expect(await statusOf(path)).toBe(404))

function statusOf(path: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1', () =>
    socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`),
  )
  socket.once('error', reject)
  socket.once('data', (head) => {
    socket.destroy()
    resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(head.toString())?.[1]))
  })
  return promise
}

describe.each(['guide.html', 'mailbox.html'])('%s', (page) => {
  test('the pages of the demo guide load only files that the server serves', async () => {
    const files = [...read(page).matchAll(/(?:href|src)="(\/demo\/guide\/[^"]+)"/g)].map(([, url = '']) => url)
    expect(files.length).toBeGreaterThan(2)
    expect(await missingOf(files)).toEqual([])
  })

  test('the pages of the demo guide contain no inline styles or scripts, which their security policy would block', () => {
    expect(read(page)).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/i)
  })
})

test('the demo guide’s scripts import only files that the server serves', async () => {
  const scripts = names.filter((name) => name.endsWith('.js'))
  const files = scripts.flatMap((script) =>
    [...read(script).matchAll(/from '\.\/([^']+)'/g)].map(([, file = '']) => `/demo/guide/${file}`),
  )
  expect(files).toContain('/demo/guide/dom.js')
  expect(await missingOf(files)).toEqual([])
})

async function missingOf(urls: string[]): Promise<string[]> {
  const answers = await Promise.all(
    [...new Set(urls)].map(async (url) => ({ url, status: (await get(url)).statusCode })),
  )
  return answers.filter(({ status }) => status !== 200).map(({ url }) => url)
}

test.each(['fantail', 'tui'])('every anchor that the menus of %s link to exists in the demo guide', (provider) => {
  const menus = readFileSync(join(import.meta.dirname, 'providers', provider, 'layout.json'), 'utf8')
  const places = [...menus.matchAll(/"\/demo\/#([^"]+)"/g)].map(([, id = '']) => id)
  expect(places).toContain('plans')
  const present = new Set([...read('guide.html').matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id))
  expect(places.filter((id) => !present.has(id))).toEqual([])
})

test('the demo guide includes a step about the staff desk only if there is a desk', () => {
  expect(read('guide.html')).toContain('href="http://localhost:1234"')
  const without = read('guide.html', { deskUrl: null })
  expect(without).not.toMatch(/desk/i)
  expect(without).toContain('</html>')
})

test.each(['NZ', 'AU'] as const)(
  'the demo guide for %s says that the demo’s network works around the clock',
  (code) => {
    const guide = read('guide.html', { code, deskUrl: null })
    expect(guide).toContain('The demo’s network works around the clock: a transfer takes a few seconds')
  },
)

test('the Australian demo guide mentions New Zealand only in the list of countries for calls', () => {
  for (const name of ['guide.html', 'mailbox.html']) {
    const page = read(name, { code: 'AU', deskUrl: null })
    expect(page.replace('Australia and New Zealand', '')).not.toMatch(/New Zealand|-NZ|8964|\{\{/)
    expect(page).toContain('<html lang="en-AU">')
  }
})

describe('the provider’s brand in the demo guide', () => {
  test.each([
    ['/demo/', 'Try Kea &amp; Co · Kea demo'],
    ['/demo/mailbox/', 'Mailbox · Kea demo'],
  ])('the page %s shows the provider’s name and logo, and names no other provider', async (path, title) => {
    const { body } = await get(path)
    expect(body).toContain(`<title>${title}</title>`)
    expect(body).toContain(`<img src="${brand.mark}" alt="" width="32" height="32">`)
    expect(body).not.toMatch(/fantail|\{\{/i)
  })

  test('the demo guide’s scripts and style sheets contain neither a provider’s name nor its colours', () => {
    for (const name of names.filter((each) => /\.(?:css|js)$/.test(each))) expect(read(name)).not.toMatch(/fantail/i)
    expect(read('guide.css')).not.toMatch(/--[a-z0-9-]+: light-dark\(/)
  })

  test('the demo guide uses the provider’s colours', async () => {
    const answer = await get('/demo/guide/brand.css')
    expect(answer.headers['content-type']).toBe('text/css; charset=utf-8')
    for (const name of ['paper', 'ink', 'brand'] as const)
      expect(answer.body).toContain(`--${name}:light-dark(${testColours[name].light},${testColours[name].dark})`)
  })
})
