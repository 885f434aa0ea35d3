import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import type { Api } from '#kit/contract/endpoint.ts'
import { ApiError } from '#kit/contract/errors.ts'
import { markets } from '#kit/server/markets.ts'
import { joinHtml } from '#app/render/document.ts'
import type { Renderer } from '#app/render/renderer.ts'
import { fantailProvider } from '#quality/support/provider.ts'
import { createDeskRenderer } from './render.ts'
import { buildPageTime } from '#quality/support/zone-clock.ts'

const bootstrap: Bootstrap = {
  layout: fantailProvider.layout,
  market: markets.NZ,
  brand: fantailProvider.brand,
  ...buildPageTime('2026-11-21T00:00:00.000Z'),
  card: { gateway: 'adyen', publicKey: '10001|ABC', types: ['visa'] },
}

let renderer: Renderer
let app: FastifyInstance
beforeAll(async () => {
  renderer = await createDeskRenderer(fantailProvider)
  app = Fastify()
  renderer.registerAssets(app)
})
afterAll(() => app.close())

const me = {
  id: '1',
  name: 'Hine Walker',
  email: 'hine@fantail.example',
  roles: ['support'],
  is_lead: false,
  passkeys: 2,
}

const as = (staff: object | null): Api => ({
  async call(endpoint) {
    if (endpoint.path === '/api/desk/me/') return { status: 200, data: { staff, demo: [] } as never }
    throw new ApiError(500, undefined)
  },
})

const visit = (url: string, staff: object | null = me) =>
  renderer.render({ url, api: as(staff), bootstrap, onError: (error) => console.error(error) })

async function documentAt(url: string, staff: object | null = me): Promise<string> {
  const answer = await visit(url, staff)
  return 'own' in answer ? joinHtml(answer) : ''
}

test('an anonymous visitor is sent to the sign-in page, and to the requested page after signing in', async () => {
  expect(await visit('/', null)).toEqual({ status: 302, location: '/sign-in/' })
  expect(await visit('/find/?q=0142', null)).toEqual({
    status: 302,
    location: `/sign-in/?${new URLSearchParams({ next: '/find/?q=0142' })}`,
  })
  expect(await visit('/sign-in/?next=/find/')).toEqual({ status: 302, location: '/find/' })
  expect(await visit('/sign-in/?next=//elsewhere.example/')).toEqual({ status: 302, location: '/' })
})

test.each([
  ['/money/disputes/', '/money/'],
  ['/money/approvals/', '/'],
  ['/stock/sims/', '/stock/'],
  ['/stock/loads/', '/stock/'],
])('a signed-in staff member is redirected from %s to %s', async (url, location) => {
  expect(await visit(url, { ...me, roles: ['finance'] })).toEqual({ status: 302, location })
  const next = new URLSearchParams({ next: url })
  expect(await visit(url, null)).toEqual({ status: 302, location: `/sign-in/?${next}` })
})

test('a desk page shows who is signed in, and its tab title names the desk', async () => {
  const html = await documentAt('/')
  expect(html).toContain('<title>Today · Fantail desk</title>')
  expect(html).toContain('Hine Walker')
  expect(await documentAt('/sign-in/', null)).not.toContain('Today')
})

test('every file that a desk document loads exists, and none comes from the customer portal’s build', async () => {
  const html = await documentAt('/sign-in/', null)
  const urls = [...html.matchAll(/(?:href|src)="(\/[^"]+\.\w+)"(?! disabled)/g)].map(([, url = '']) => url)
  expect(urls.filter((url) => url.startsWith('/desk/build/')).length).toBeGreaterThan(2)
  for (const url of urls) {
    const { statusCode } = await app.inject({ url })
    expect({ url, statusCode }).toEqual({ url, statusCode: 200 })
  }
  expect(html).not.toContain('/static/build/')
  expect((await app.inject('/desk/build/nothing.js')).statusCode).toBe(404)
  expect((await app.inject('/static/build/')).statusCode).toBe(404)
})

test('desk pages contain neither the customer menus nor the public key of the card gateway', async () => {
  const html = await documentAt('/')
  expect(html).not.toContain(bootstrap.card.publicKey)
  for (const { url } of bootstrap.layout.menus.header) expect(html).not.toContain(JSON.stringify(url))
})

test('an unknown desk URL renders the desk’s own 404 page', async () => {
  expect(await visit('/nowhere/')).toMatchObject({ status: 404 })
  expect(await documentAt('/nowhere/')).toContain('Page not found')
})
