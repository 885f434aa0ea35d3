import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Manifest } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import type { Api } from '#kit/contract/endpoint.ts'
import { ApiError } from '#kit/contract/errors.ts'
import { markets } from '#kit/server/markets.ts'
import { buildPortal } from './build.ts'
import { readProvider } from './provider.ts'
import { createRenderer } from './render.ts'
import type { PageAnswer, Renderer } from './render/renderer.ts'

const market = markets.NZ
const { brand, layout } = readProvider(market)
const bootstrap: Bootstrap = { layout, market, brand, serverTime: '2026-11-21T00:00:00.000Z', card: { gateway: 'adyen', publicKey: '10001|ABC' } }
const nobody: Api = { call: () => Promise.reject(new ApiError(401, {})) }

let renderer: Renderer
let app: FastifyInstance

beforeAll(async () => {
  renderer = await createRenderer({ mode: 'built', brand, onError: (error) => console.error(error) })
  app = Fastify()
  renderer.registerAssets(app)
}, 60_000)

afterAll(() => app.close())

const visit = (url: string): Promise<PageAnswer> => renderer.render({ url, api: nobody, bootstrap })

async function documentAt(url: string): Promise<string> {
  const answer = await visit(url)
  return 'html' in answer ? answer.html : ''
}

describe('a page from the build', () => {
  test('an unknown path is a whole page with status 404', async () => {
    const answer = await visit('/nowhere/')
    expect(answer).toMatchObject({ status: 404 })
    expect(await documentAt('/nowhere/')).toContain('Unfortunately we could not find what you were looking for')
  })

  test('every file that it fetches is there, and is what its hash says', async () => {
    const html = await documentAt('/nowhere/')
    const named = [...html.matchAll(/(?:href|src)="(\/static\/[^"]+)"(?: integrity="([^"]+)")?(?! disabled)/g)]
    expect(named.length).toBeGreaterThan(5)
    for (const [, url = '', integrity = null] of named) {
      const { statusCode, rawPayload } = await app.inject({ url })
      const hash = url.startsWith('/static/build/') ? `sha384-${createHash('sha384').update(rawPayload).digest('base64')}` : null
      expect({ url, statusCode, integrity }).toEqual({ url, statusCode: 200, integrity: hash })
    }
  })

  test('its own chunk is fetched with it, its style comes with the document', async () => {
    const html = await documentAt('/nowhere/')
    const manifest: Manifest = JSON.parse(await readFile(join(await buildPortal(), 'client/manifest.json'), 'utf8'))
    const chunks = Object.values(manifest)
    for (const name of ['react', 'NotFoundScreen']) expect(html).toContain(`<link rel="modulepreload" href="/static/build/${chunks.find((chunk) => chunk.name === name)?.file}"`)
    const sheets = [...html.matchAll(/<link rel="stylesheet" href="\/static\/build\/([^"]+)"[^>]*>/g)]
    expect(sheets.filter(([link]) => !link.includes('disabled')).map(([, name]) => name)).toEqual([expect.stringMatching(/^page-.*\.css$/)])
    expect(sheets.length).toBeGreaterThan(1)
  })

  test('it holds no inline code, style or style attribute', async () => {
    const html = await documentAt('/nowhere/')
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+="/)
    expect(html).not.toMatch(/<script(?! type="module" src="| type="application\/json" )/)
  })

  test('scripts arrive compressed and may be kept for ever', async () => {
    const [, url = ''] = /<script type="module" src="([^"]+)"/.exec(await documentAt('/nowhere/')) ?? []
    const { headers } = await app.inject({ url, headers: { 'accept-encoding': 'br, gzip' } })
    expect(headers).toMatchObject({ 'content-encoding': 'br', 'cache-control': expect.stringContaining('immutable') })
  })

  test('the web manifest carries the brand, and its icons are there', async () => {
    const manifest = (await app.inject('/static/site.webmanifest')).json<{ name: string; icons: { src: string }[] }>()
    expect(manifest.name).toBe('Fantail Mobile')
    for (const { src } of manifest.icons) {
      const { statusCode } = await app.inject(src)
      expect({ src, statusCode }).toEqual({ src, statusCode: 200 })
    }
  })
})

test('what is built is not built again, whoever asks', async () => {
  const [first, second] = await Promise.all([buildPortal(), buildPortal()])
  expect(second).toBe(first)
})
