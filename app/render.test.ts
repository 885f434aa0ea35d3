import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Manifest } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import type { Api } from '#kit/contract/endpoint.ts'
import { ApiError } from '#kit/contract/errors.ts'
import { colourNames } from '#kit/contract/brand.ts'
import { markets } from '#kit/server/markets.ts'
import { fantailProvider } from '#quality/support/provider.ts'
import { buildPortal } from './build.ts'
import { createRenderer } from './render.ts'
import { joinHtml } from './render/document.ts'
import { createBrandStyleSheet } from './render/brand.ts'
import type { RenderResult, Renderer } from './render/renderer.ts'
import { buildPageTime } from '#quality/support/zone-clock.ts'

const market = markets.NZ
const { brand, look, layout } = fantailProvider
const bootstrap: Bootstrap = {
  layout,
  market,
  brand,
  ...buildPageTime('2026-11-21T00:00:00.000Z'),
  card: { gateway: 'adyen', publicKey: '10001|ABC', types: ['visa', 'mc', 'amex'] },
}
const anonymous: Api = { call: () => Promise.reject(new ApiError(401, {})) }

let renderer: Renderer
let app: FastifyInstance

beforeAll(async () => {
  renderer = await createRenderer({ mode: 'built', brand, look })
  app = Fastify()
  renderer.registerAssets(app)
})

afterAll(() => app.close())

const visit = (url: string): Promise<RenderResult> =>
  renderer.render({ url, api: anonymous, bootstrap, onError: (error) => console.error(error) })

async function documentAt(url: string): Promise<string> {
  const answer = await visit(url)
  return 'own' in answer ? joinHtml(answer) : ''
}

describe('a page rendered from the build', () => {
  test('an unknown path renders a complete page with status 404', async () => {
    const answer = await visit('/nowhere/')
    expect(answer).toMatchObject({ status: 404 })
    expect(await documentAt('/nowhere/')).toContain('Unfortunately we could not find what you were looking for')
  })

  test('every file that a page loads exists and matches its integrity hash', async () => {
    const html = await documentAt('/nowhere/')
    const named = [...html.matchAll(/(?:href|src)="(\/static\/[^"]+)"(?: integrity="([^"]+)")?(?! disabled)/g)]
    expect(named.length).toBeGreaterThan(5)
    for (const [, url = '', integrity = null] of named) {
      const { statusCode, rawPayload } = await app.inject({ url })
      const hash = url.startsWith('/static/build/')
        ? `sha384-${createHash('sha384').update(rawPayload).digest('base64')}`
        : null
      expect({ url, statusCode, integrity }).toEqual({ url, statusCode: 200, integrity: hash })
    }
  })

  test('a page preloads its own chunk and React, and links its style sheets as disabled', async () => {
    const html = await documentAt('/nowhere/')
    const manifest: Manifest = JSON.parse(await readFile(join(await buildPortal(), 'client/manifest.json'), 'utf8'))
    const own = manifest['kit/web/screens/not-found.page.tsx']
    const common = Object.values(manifest).find(({ name }) => name === 'react')
    for (const chunk of [own, common])
      expect(html).toContain(`<link rel="modulepreload" href="/static/build/${chunk?.file}"`)
    const sheets = [...html.matchAll(/<link rel="stylesheet" [^>]*>/g)].map(([link]) => link)
    expect(sheets.length).toBeGreaterThan(0)
    for (const link of sheets) expect(link).toMatch(/ disabled>$/)
  })

  test('a page’s security policy allows its inline style sheet, which starts with the brand’s colours', async () => {
    const answer = await visit('/nowhere/')
    const [, sheet = ''] = /<style>(.*?)<\/style>/s.exec('own' in answer ? joinHtml(answer) : '') ?? []
    expect(sheet.startsWith(createBrandStyleSheet(look.colours))).toBe(true)
    expect(answer).toMatchObject({ style: `'sha256-${createHash('sha256').update(sheet).digest('base64')}'` })
  })

  test('a page has no inline scripts, only one inline style sheet and no style attributes', async () => {
    const html = await documentAt('/nowhere/')
    expect(html.match(/<style/g)).toHaveLength(1)
    expect(html.replace(/<style>.*?<\/style>/s, '')).not.toMatch(/\sstyle=|\son\w+="/)
    expect(html).not.toMatch(/<script(?! type="module" src="| type="application\/json" )/)
  })

  test('scripts are served compressed and may be cached forever', async () => {
    const [, url = ''] = /<script type="module" src="([^"]+)"/.exec(await documentAt('/nowhere/')) ?? []
    const { headers } = await app.inject({ url, headers: { 'accept-encoding': 'br, gzip' } })
    expect(headers).toMatchObject({ 'content-encoding': 'br', 'cache-control': expect.stringContaining('immutable') })
  })

  test('the build’s style sheets use every brand colour and define none themselves', async () => {
    const folder = join(await buildPortal(), 'client')
    const manifest: Manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))
    const sheets = new Set(Object.values(manifest).flatMap(({ css = [] }) => css))
    const text = (await Promise.all([...sheets].map((name) => readFile(join(folder, name), 'utf8')))).join('\n')
    const screen = text.replaceAll(/@media print\{(?:[^{}]*\{[^{}]*\})*\}/g, '')
    const said = colourNames.filter((name) => new RegExp(`--${name}:[^;}]*#`).test(screen))
    expect(said).toEqual([])
    expect(colourNames.filter((name) => !text.includes(`var(--${name})`))).toEqual([])
  })

  test('a page shows the brand’s logo and states its size', async () => {
    const html = await documentAt('/nowhere/')
    const marks = [...html.matchAll(/<img[^>]*>/g)].map(([img]) => img)
    expect(marks.length).toBeGreaterThan(1)
    for (const img of marks)
      expect(img.replace(brand.mark, 'its own')).toMatch(/src="its own" alt="" width="\d+" height="\d+"/)
  })

  test('a page has a description for search engines, and the server provides robots.txt', async () => {
    expect(await documentAt('/nowhere/')).toContain(`<meta name="description" content="${brand.description}">`)
    const { headers, body } = await app.inject('/robots.txt')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(body).toMatch(/^User-agent: \*\n/)
  })

  test('/favicon.ico serves the icon as PNG', async () => {
    expect((await app.inject('/favicon.ico')).headers['content-type']).toBe('image/png')
  })

  test('the web manifest has the brand’s name, and its icons exist', async () => {
    const manifest = (await app.inject('/static/site.webmanifest')).json<{ name: string; icons: { src: string }[] }>()
    expect(manifest.name).toBe('Fantail Mobile')
    for (const { src } of manifest.icons) {
      const { statusCode } = await app.inject(src)
      expect({ src, statusCode }).toEqual({ src, statusCode: 200 })
    }
  })
})

test('the portal is built only once, even for simultaneous requests', async () => {
  const [first, second] = await Promise.all([buildPortal(), buildPortal()])
  expect(second).toBe(first)
})
