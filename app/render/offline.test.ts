import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { serveAssets } from './assets.ts'
import { offlineAssets, workerPath } from './offline.ts'

const brand = {
  name: 'Tom & Co',
  shortName: 'Tom',
  mark: '/static/brand/mark-1a2b3c4d.svg',
  description: '',
  help: { phone: '0800 326 824', hours: '8 am to 8 pm' },
}
const colours = ':root{--paper:#fff}'

const textOf = (assets: ReturnType<typeof offlineAssets>, ends: string): string =>
  [...assets].find(([path]) => path.endsWith(ends))?.[1].body.toString() ?? ''
const filesOf = (assets: ReturnType<typeof offlineAssets>): string[] =>
  JSON.parse(/^const files = (.*)$/m.exec(textOf(assets, workerPath))?.[1] ?? '')

test('the service worker caches the offline page with its script, style sheet and logo, under hashed names', () => {
  const assets = offlineAssets(brand, colours)
  const files = filesOf(assets)
  expect(files.map((file) => file.replace(/[\da-f]{8}/, 'HASH'))).toEqual([
    '/static/offline/HASH-offline.html',
    '/static/offline/HASH-offline-page.js',
    '/static/offline/HASH-offline-page.css',
    '/static/brand/mark-HASH.svg',
  ])
  expect(files.slice(0, 3).every((file) => assets.has(file))).toBe(true)
  const page = textOf(assets, '.html')
  for (const file of files.slice(1)) expect(page).toContain(`"${file}"`)
  expect(page).toContain('Tom &amp; Co')
  expect(page).not.toMatch(/<style|style=|<script(?! type="module" src=)/)
})

test('the service worker changes when the brand or the offline page does, and does not cache an inlined logo separately', () => {
  const one = textOf(offlineAssets(brand, colours), workerPath)
  expect(textOf(offlineAssets(brand, colours), workerPath)).toBe(one)
  expect(textOf(offlineAssets(brand, `${colours}a{}`), workerPath)).not.toBe(one)
  expect(textOf(offlineAssets({ ...brand, name: 'Tui' }, colours), workerPath)).not.toBe(one)
  expect(filesOf(offlineAssets({ ...brand, mark: 'data:image/svg+xml,x' }, colours))).toHaveLength(3)
})

test('browsers revalidate the service worker on every request, and its offline page has a document’s security headers', async () => {
  const app = Fastify()
  onTestFinished(() => app.close())
  app.addHook(
    'onRequest',
    async (_request, reply) => void reply.header('content-security-policy', "default-src 'none'"),
  )
  const assets = offlineAssets(brand, colours)
  serveAssets(app, assets)
  const worker = await app.inject(workerPath)
  expect(worker.headers).toMatchObject({
    'cache-control': 'no-cache',
    'content-type': 'text/javascript; charset=utf-8',
  })
  const page = await app.inject(filesOf(assets)[0]!)
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
  })
})
