// @vitest-environment node
import { lazy, Suspense } from 'react'
import * as v from 'valibot'
import { describe, expect, test, vi } from 'vitest'
import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import { endpoint, type Api } from '#kit/contract/endpoint.ts'
import { ApiError } from '#kit/contract/errors.ts'
import { markets } from '#kit/server/markets.ts'
import { definePages, type PageEntry, type PageLoader } from '#kit/web/page.ts'
import { useApi } from '#kit/web/api.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { signedInAccount } from '#quality/support/account.ts'
import { fantailProvider } from '#quality/support/provider.ts'
import { Portal } from './Portal.tsx'
import { type AdditionalData, type StoredData, renderPage } from './render-page.tsx'
import { buildPageTime } from '#quality/support/zone-clock.ts'

const me = endpoint({ method: 'GET', path: '/api/me/', summary: 'Who asks', output: v.object({ name: v.string() }) })
const meQuery = (api: Api) => ({ queryKey: ['me'], queryFn: async () => (await api.call(me, {})).data })
const market = markets.NZ
const { brand, layout } = fantailProvider
const bootstrap: Bootstrap = {
  layout,
  market,
  brand,
  ...buildPageTime('2026-11-21T00:00:00.000Z'),
  card: { gateway: 'adyen', publicKey: '10001|ABC', types: ['visa', 'mc', 'amex'] },
}

function Hello() {
  const { data, isPending } = useQuery(meQuery(useApi()))
  return <h1>{isPending ? 'Someone' : `Hello ${data?.name}`}</h1>
}

const Fails = (): never => {
  throw new Error('not on a server')
}

const Late = lazy(async () => ({ default: () => <p>{'late '.repeat(4_000)}</p> }))

const queries: PageLoader['queries'] = (api) => [meQuery(api)]
const redirect: PageLoader['redirect'] = (client) => (client.getQueryData(['me']) ? null : '/login/')
const refusalOf = (error: unknown): unknown => {
  if (error instanceof ApiError) return { status: error.status, body: error.body }
  throw error
}
const hello: PageEntry = {
  path: '/hello/',
  title: 'Hello',
  component: async () => ({ default: Hello }),
  loader: async () => ({ queries }),
  componentModule: 'Hello.tsx',
  loaderModule: 'me.ts',
}

const pages = definePages([
  hello,
  { ...hello, path: '/private/', loader: async () => ({ queries, redirect }) },
  { ...hello, path: '/off/', loader: async () => ({ queries: (api) => [{ ...meQuery(api), enabled: false }] }) },
  {
    ...hello,
    path: '/maybe/',
    loader: async () => ({
      queries: (api) => [{ queryKey: ['maybe'], queryFn: () => api.call(me, {}).catch(refusalOf) }],
    }),
  },
  {
    ...hello,
    path: '/about/:name/',
    loader: async () => ({
      queries,
      notFound: (client, { name }) => client.getQueryData<{ name: string }>(['me'])?.name !== name,
      title: (client, { search }) => (search ? `${client.getQueryData<{ name: string }>(['me'])?.name}’s page` : null),
    }),
  },
  {
    path: '/late/',
    title: 'Late',
    component: async () => ({
      default: () => (
        <Suspense fallback="…">
          <Late />
        </Suspense>
      ),
    }),
  },
  { path: '/fails/', title: 'Fails', component: async () => ({ default: Fails }) },
  { path: '/lost/', title: 'Lost', component: () => Promise.reject(new Error('no such chunk')) },
  { path: /^/, title: 'Not Found', status: 404, component: async () => ({ default: () => <h1>Nothing here</h1> }) },
])

const as = (name?: string): Api => ({
  call: async () => {
    if (!name) throw new ApiError(401, {})
    return { status: 200, data: { name } as never }
  },
})

const holding = (markup: string): unknown => expect.stringContaining(`${markup}</main>`)

async function rendered(url: string, api: Api = as('Ana'), beside?: AdditionalData) {
  const onError = vi.fn<(error: unknown) => void>()
  return { page: await renderPage(Portal, pages, { url, api, bootstrap, onError }, beside), onError }
}

describe('rendering a page on the server', () => {
  test('a rendered page comes with its data, its title and the names of its modules', async () => {
    const { page, onError } = await rendered('/hello/?a=b')
    expect(page).toMatchObject({
      status: 200,
      html: holding('<h1>Hello Ana</h1>'),
      title: 'Hello · Fantail Mobile',
      modules: ['me.ts', 'Hello.tsx'],
    })
    expect(page).toMatchObject({
      state: { rendered: true, queries: [[['me'], { name: 'Ana' }]], page: { title: 'Hello', params: {} } },
    })
    expect(onError).not.toHaveBeenCalled()
  })

  describe('cached data for a rendered page', () => {
    const half: StoredData = { answers: [[['use', 'Ana'], 'half']], parts: ['Use.tsx'] }

    test('a rendered page includes cached data, marked as out of date, and lists the modules that show it', async () => {
      const { page } = await rendered('/hello/', as('Ana'), { kept: async () => half })
      expect(page).toMatchObject({
        parts: ['Use.tsx'],
        state: {
          queries: [
            [['me'], { name: 'Ana' }],
            [['use', 'Ana'], 'half', 0],
          ],
        },
      })
    })

    test('cached data is read without waiting for the page’s own data', async () => {
      const [needed, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const slow: Api = { call: (...call) => needed.promise.then(() => as('Ana').call(...call)) }
      const page = rendered('/hello/', slow, {
        kept: async () => {
          asked.resolve()
          return half
        },
      })
      await asked.promise
      needed.resolve()
      expect((await page).page).toMatchObject({ parts: ['Use.tsx'], html: holding('<h1>Hello Ana</h1>') })
    })

    test('a page is rendered without cached data if reading that data fails', async () => {
      const { page, onError } = await rendered('/hello/', as('Ana'), {
        kept: () => Promise.reject(new ApiError(404, {})),
      })
      expect(page).toMatchObject({ status: 200, parts: [], state: { queries: [[['me'], { name: 'Ana' }]] } })
      expect(onError).not.toHaveBeenCalled()
    })
  })

  describe('loading the data that every page shows', () => {
    const account = signedInAccount()
    const ask = (queryFn: () => Promise<unknown>): AdditionalData => ({
      everywhere: () => [{ queryKey: ['account'], queryFn }],
    })

    test.each(['/hello/', '/nowhere/'])(
      'data that every page shows is requested for %s and sent with it',
      async (url) => {
        const { page } = await rendered(
          url,
          as('Ana'),
          ask(async () => account),
        )
        expect(page).toMatchObject({
          html: expect.stringContaining('Logout'),
          state: { queries: expect.arrayContaining([[['account'], account]]) },
        })
        expect(page).not.toMatchObject({ html: expect.stringContaining('Login') })
      },
    )

    test('data that every page shows is left for the browser to load when the server cannot get it', async () => {
      const { page, onError } = await rendered(
        '/hello/',
        as('Ana'),
        ask(() => Promise.reject(new ApiError(503, {}))),
      )
      expect(page).toMatchObject({
        status: 200,
        html: expect.stringContaining('Hello Ana'),
        state: { queries: [[['me'], { name: 'Ana' }]] },
      })
      expect(page).toMatchObject({ html: expect.stringContaining('Login') })
      expect(onError).not.toHaveBeenCalled()
    })
  })

  test.each([
    ['Ana/', 200, 'Hello'],
    ['Ana/?more', 200, 'Ana’s page'],
    ['Noone/', 404, 'Not Found'],
    ['Noone/?more', 404, 'Not Found'],
  ])('a page for %s has status %i and title %s, both taken from its data', async (name, status, title) => {
    expect((await rendered(`/about/${name}`)).page).toMatchObject({
      status,
      title: `${title} · Fantail Mobile`,
      html: holding('<h1>Hello Ana</h1>'),
    })
  })

  test('visitors who request pages at the same time see only their own data', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `Visitor-${index}`)
    const all = await Promise.all(names.map((name) => rendered('/hello/', as(name))))
    for (const [index, { page }] of all.entries()) {
      const others = names.filter((name) => name !== names[index])
      expect(JSON.stringify(page)).toContain(`Visitor-${index}"`)
      for (const other of others) expect(JSON.stringify(page)).not.toContain(`${other}"`)
    }
  })

  test('a page’s data is left for the browser to load when the API rejects the request', async () => {
    const { page } = await rendered('/hello/', as())
    expect(page).toMatchObject({
      status: 200,
      html: holding('<h1>Someone</h1>'),
      state: { rendered: true, queries: [] },
    })
  })

  test('an API error from a different bundle is handled like the page’s own errors, and is not reported as a bug', async () => {
    class ForeignError extends Error {
      override name = 'ApiError'
      status = 404
      body = { code: 'Not found.' }
    }
    const { page, onError } = await rendered('/maybe/', { call: () => Promise.reject(new ForeignError()) })
    expect(page).toMatchObject({ state: { queries: [[['maybe'], { status: 404, body: { code: 'Not found.' } }]] } })
    expect(onError).not.toHaveBeenCalled()
  })

  test('a query that throws is reported, and its data is left for the browser to load', async () => {
    const { page, onError } = await rendered('/hello/', { call: () => Promise.reject(new TypeError('broken')) })
    expect(page).toMatchObject({ status: 200, html: holding('<h1>Someone</h1>'), state: { queries: [] } })
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: 'broken' }))
  })

  test('a page’s data is left for the browser to load when it takes too long', async () => {
    vi.useFakeTimers()
    const never: Api = { call: () => new Promise(() => {}) }
    const answer = rendered('/hello/', never)
    await vi.advanceTimersByTimeAsync(3_000)
    vi.useRealTimers()
    expect((await answer).page).toMatchObject({
      status: 200,
      html: holding('<h1>Someone</h1>'),
      state: { queries: [] },
    })
  })

  test('the time limit for a page’s data starts once the visitor is known', async () => {
    vi.useFakeTimers()
    const visitor = Promise.withResolvers<void>()
    const afterVisitor: Api = { call: (...call) => visitor.promise.then(() => as('Ana').call(...call)) }
    const answer = renderPage(Portal, pages, {
      url: '/hello/',
      api: afterVisitor,
      bootstrap,
      visitor: visitor.promise,
      onError: vi.fn<(error: unknown) => void>(),
    })
    await vi.advanceTimersByTimeAsync(3_300)
    visitor.resolve()
    vi.useRealTimers()
    expect(await answer).toMatchObject({ status: 200, html: holding('<h1>Hello Ana</h1>') })
  })

  test('rendering a page does not run a disabled query', async () => {
    expect((await rendered('/off/')).page).toMatchObject({ html: holding('<h1>Someone</h1>'), state: { queries: [] } })
  })

  test('a page’s guard redirects with 302 once the data that it needs has been loaded', async () => {
    expect((await rendered('/private/', as())).page).toEqual({ status: 302, location: '/login/' })
    expect((await rendered('/private/')).page).toMatchObject({ status: 200 })
  })

  test('a path without a trailing slash is redirected with 302, and keeps its query string', async () => {
    expect((await rendered('/hello?next=%2F')).page).toEqual({ status: 302, location: '/hello/?next=%2F' })
  })

  test.each(['/nowhere/', '/%zz/', '//evil.example/hello/'])('%s renders a page with status 404', async (url) => {
    expect((await rendered(url)).page).toMatchObject({
      status: 404,
      html: holding('<h1>Nothing here</h1>'),
      title: 'Not Found · Fantail Mobile',
    })
  })

  test('lazily loaded parts of a page are rendered in place and without a script', async () => {
    const { page } = await rendered('/late/')
    const html = 'html' in page ? page.html : ''
    expect(html).toContain('late late')
    expect(html).not.toMatch(/<script|<template|<div hidden/)
    expect((await rendered('/late/')).page).toEqual(page)
  })

  test.each([
    ['/fails/', 'not on a server'],
    ['/lost/', 'no such chunk'],
  ])('the page %s fails on the server, is reported and is left for the browser to render', async (url, message) => {
    const { page, onError } = await rendered(url)
    expect(page).toMatchObject({ status: 500, html: '', state: { rendered: false } })
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message }))
  })
})
