import { act, render, screen, waitFor } from '@testing-library/react'
import { useState, type ReactNode } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Bootstrap } from '../../contract/bootstrap.ts'
import type { Api } from '../../contract/endpoint.ts'
import { ApiProvider } from '../api.tsx'
import { BootstrapProvider } from '../bootstrap.tsx'
import {
  definePages,
  matchPage,
  type PageEntry,
  type PageLoader,
  type PageProps,
  type Pages,
  type RouteTable,
  createRouteTable,
} from '../page.ts'
import { createQueryClient, type QueryClient } from '../query/query-client.ts'
import { QueryClientProvider } from '../query/use-query.tsx'
import { loadPage } from './page-modules.ts'
import { navigate } from './location.ts'
import { Outlet } from './Outlet.tsx'
import { createLazyRouteTable } from './route-table.ts'

const api: Api = { call: () => Promise.reject(new Error('These pages make no call')) }
const brand = { name: 'Fantail Mobile', shortName: 'Fantail', help: { phone: '0800 326 824', hours: '8 am to 8 pm' } }
const bootstrap = { brand } as Bootstrap

let client: QueryClient

beforeEach(() => {
  client = createQueryClient({ retries: 0 })
  history.replaceState(null, '', '/')
  sessionStorage.clear()
  document.title = 'From the server'
})

const titled =
  (title: string): PageEntry['component'] =>
  async () => ({ default: () => <h1>{title}</h1> })

async function open(entries: PageEntry[], tableOf: (pages: Pages) => RouteTable = createRouteTable): Promise<void> {
  const pages = definePages([
    { path: '/', title: 'Home', component: titled('Home') },
    ...entries,
    { path: /^/, title: 'Not Found', status: 404, component: titled('Not found') },
  ])
  const table = tableOf(pages)
  await loadPage((table.match(location.pathname) ?? matchPage(pages, location.pathname)).page)
  render(
    <BootstrapProvider value={bootstrap}>
      <ApiProvider api={api}>
        <QueryClientProvider client={client}>
          <main>
            <Outlet table={table} />
          </main>
        </QueryClientProvider>
      </ApiProvider>
    </BootstrapProvider>,
  )
}

const go = (to: string): void => act(() => navigate(to))
const expectHeading = (name: string): Promise<HTMLElement> => screen.findByRole('heading', { level: 1, name })

async function expectFocusedPage(name: string): Promise<void> {
  const element = await expectHeading(name)
  await expect.poll(() => document.activeElement).toBe(element)
}

test('the first page is shown immediately, without moving the scroll position or the focus', async () => {
  const scrolled = vi.spyOn(window, 'scrollTo')
  await open([])
  expect(screen.getByRole('heading').textContent).toBe('Home')
  await expect.poll(() => document.activeElement).toBe(document.body)
  expect(scrolled).not.toHaveBeenCalled()
})

test('a navigation keeps the old page until the new one is ready, then scrolls to the top and focuses its heading', async () => {
  const scrolled = vi.spyOn(window, 'scrollTo')
  const code = Promise.withResolvers<void>()
  const data = Promise.withResolvers<string>()
  await open([
    {
      path: '/next/:id/',
      title: 'Next',
      component: async () => (await code.promise, { default: ({ params }: PageProps) => <h1>Next {params['id']}</h1> }),
      loader: async () => ({ queries: (_api, { id }) => [{ queryKey: ['next', id], queryFn: () => data.promise }] }),
    },
  ])
  go('/next/a%2Fb/')
  expect(screen.getByRole('heading').textContent).toBe('Home')
  await act(async () => data.resolve('data'))
  expect(screen.getByRole('heading').textContent).toBe('Home')
  expect(document.title).toBe('Home · Fantail Mobile')
  expect(scrolled).not.toHaveBeenCalled()

  code.resolve()
  await expectFocusedPage('Next a/b')
  expect(document.title).toBe('Next · Fantail Mobile')
  expect(scrolled).toHaveBeenCalledExactlyOnceWith({ top: 0, behavior: 'instant' })
})

test('a slow navigation shows the loading screen', async () => {
  const data = Promise.withResolvers<string>()
  await open([
    {
      path: '/slow/',
      title: 'Slow',
      component: titled('Slow'),
      loader: async () => ({ queries: () => [{ queryKey: ['slow'], queryFn: () => data.promise }] }),
    },
  ])
  go('/slow/')
  expect((await screen.findByRole('status')).textContent).toBe('Loading')
  expect(screen.queryByRole('heading')).toBeNull()
  data.resolve('data')
  await expectFocusedPage('Slow')
})

test('going back while the next page is loading shows the old page again', async () => {
  await open([{ path: '/never/', title: 'Never', component: () => new Promise(() => {}) }])
  go('/never/')
  await screen.findByRole('status')
  go('/')
  await expectFocusedPage('Home')
})

test('a page whose data cannot be loaded is still shown', async () => {
  const queryFn = () => Promise.reject(new Error('no data'))
  await open([
    {
      path: '/poor/',
      title: 'Poor',
      component: titled('Poor'),
      loader: async () => ({ queries: () => [{ queryKey: ['poor'], queryFn }] }),
    },
  ])
  go('/poor/')
  await expectHeading('Poor')
})

test('a page redirects according to its data, and redirects again without a new history entry when the data changes', async () => {
  const needs = async (): Promise<PageLoader> => ({
    queries: () => [{ queryKey: ['stage'], queryFn: async () => 'one' }],
    redirect: (client, { path }) => {
      const wanted = `/stage/${client.getQueryData(['stage'])}/`
      return path === wanted ? null : wanted
    },
  })
  await open([
    { path: '/stage/', title: 'Stage', component: titled('Stage'), loader: needs },
    { path: '/stage/one/', title: 'One', component: titled('One'), loader: needs },
    { path: '/stage/two/', title: 'Two', component: titled('Two'), loader: needs },
  ])
  go('/stage/?from=mail')
  await expectHeading('One')
  expect(location.pathname).toBe('/stage/one/')
  const entries = history.length
  act(() => void client.setQueryData(['stage'], 'two'))
  await expectHeading('Two')
  expect(location.pathname).toBe('/stage/two/')
  expect(history.length).toBe(entries)
})

test('a missing trailing slash is added to the path', async () => {
  await open([{ path: '/plans/', title: 'Plans', component: titled('Plans') }])
  go('/plans?sort=price')
  await expectHeading('Plans')
  expect(location.pathname + location.search).toBe('/plans/?sort=price')
})

test('circular redirects end at the error page, and other pages still work', async () => {
  const turn = vi.fn<NonNullable<PageLoader['redirect']>>((_client, { path }) =>
    path === '/here/' ? '/there/' : '/here/',
  )
  await open([
    { path: '/here/', title: 'Here', component: titled('Here'), loader: async () => ({ redirect: turn }) },
    { path: '/there/', title: 'There', component: titled('There'), loader: async () => ({ redirect: turn }) },
  ])
  go('/here/')
  await expectHeading('Something Went Wrong')
  expect(turn.mock.calls.length).toBeLessThan(40)
  go('/')
  await expectHeading('Home')
})

test("moving to a different path resets the page's state, even if both paths show the same page", async () => {
  function Service({ params }: PageProps): ReactNode {
    const [first] = useState(params['uuid'])
    return <h1>Opened as {first}</h1>
  }
  await open([{ path: '/services/:uuid/', title: 'Service', component: async () => ({ default: Service }) }])
  go('/services/a/')
  await expectHeading('Opened as a')
  go('/services/b/')
  await expectHeading('Opened as b')
})

test('if a page focuses one of its fields, the focus stays in that field', async () => {
  const Form = () => (
    <>
      <h1>Form</h1>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
      <input aria-label="Code" autoFocus />
    </>
  )
  await open([{ path: '/form/', title: 'Form', component: async () => ({ default: Form }) }])
  go('/form/')
  await expectHeading('Form')
  await expect.poll(() => document.activeElement).toBe(screen.getByLabelText('Code'))
})

test("a link to a path outside the portal's pages is left to the server", async () => {
  const reload = vi.spyOn(location, 'reload').mockReturnValue()
  await open([])
  go('/demo/#plans')
  await waitFor(() => expect(reload).toHaveBeenCalledOnce())
  expect(location.pathname + location.hash).toBe('/demo/#plans')
  expect(screen.queryByText('Not found')).toBeNull()
})

describe('document title', () => {
  const answer = ['number']
  const entry: PageEntry = {
    path: '/numbers/:id/',
    title: 'Your number',
    component: titled('Number'),
    loader: async () => ({
      queries: () => [{ queryKey: answer, queryFn: async () => ({ id: '7', kind: 'Prepay' }) }],
      notFound: (of, { id }) => of.getQueryData<{ id: string }>(answer)?.id !== id,
      title: (of, { search }) => (search ? null : (of.getQueryData<{ kind: string }>(answer)?.kind ?? null)),
    }),
  }
  async function expectTab(name: string): Promise<void> {
    await expect.poll(() => document.title).toBe(`${name} · Fantail Mobile`)
  }

  test('the document\'s title is "Not Found" for missing data, even if the data goes missing later', async () => {
    await open([entry])
    go('/numbers/8/')
    await expectHeading('Number')
    await expectTab('Not Found')
    go('/numbers/7/')
    await expectTab('Prepay')
    act(() => void client.setQueryData(answer, { id: '9', kind: 'Prepay' }))
    await expectTab('Not Found')
  })

  test("the document's title comes from the page's data, or otherwise from the table of pages", async () => {
    await open([entry])
    go('/numbers/7/?compare')
    await expectHeading('Number')
    await expectTab('Your number')
    go('/numbers/7/')
    await expectTab('Prepay')
  })
})

test('a first visit to an unknown path shows the not-found page without a reload', async () => {
  const reload = vi.spyOn(location, 'reload').mockReturnValue()
  history.replaceState(null, '', '/nowhere/')
  await open([])
  await expectHeading('Not found')
  expect(reload).not.toHaveBeenCalled()
})

test('changing only the query string keeps the page and its scroll position', async () => {
  const scrolled = vi.spyOn(window, 'scrollTo')
  await open([])
  go('/?page=2')
  expect(screen.getByRole('heading').textContent).toBe('Home')
  expect(scrolled).not.toHaveBeenCalled()
})

test("reloads the document once if a page's code cannot be loaded, then shows the error page", async () => {
  const reload = vi.spyOn(location, 'reload').mockReturnValue()
  const load = vi.fn<PageEntry['component']>(() => Promise.reject(new Error('404')))
  await open([{ path: '/gone/', title: 'Gone', component: load }])
  go('/gone/')
  await waitFor(() => expect(reload).toHaveBeenCalledOnce())
  expect(screen.queryByRole('heading', { name: 'Something Went Wrong' })).toBeNull()
  go('/')
  go('/gone/')
  await expectHeading('Something Went Wrong')
  expect(reload).toHaveBeenCalledOnce()
})

test("if a page's code cannot be loaded while offline, the page loads once the connection is back", async () => {
  const reload = vi.spyOn(location, 'reload').mockReturnValue()
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await open([{ path: '/far/', title: 'Far', component: () => Promise.reject(new Error('offline')) }])
  go('/far/')
  await expectHeading('Something Went Wrong')
  expect(screen.getByText('You seem to be offline. We’ll load this page when you’re back online.')).toBeDefined()
  expect(screen.queryByRole('button')).toBeNull()
  go('/')
  await expectHeading('Home')
  go('/far/')
  await expectHeading('Something Went Wrong')
  expect(reload).not.toHaveBeenCalled()
  online.mockReturnValue(true)
  window.dispatchEvent(new Event('online'))
  expect(reload).toHaveBeenCalledOnce()
})

test('a page that fails to render shows the error page, and other pages still work', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue()
  const Broken = (): ReactNode => {
    throw new Error('broken')
  }
  await open([{ path: '/broken/', title: 'Broken', component: async () => ({ default: Broken }) }])
  go('/broken/')
  await expectHeading('Something Went Wrong')
  expect(said).toHaveBeenCalled()
  go('/')
  await expectHeading('Home')
})

const growing =
  (others: () => Promise<void>) =>
  (pages: Pages): RouteTable => {
    const match = (path: string) => matchPage(pages, path)
    return createLazyRouteTable('/', match('/'), async () => (await others(), match))
  }

test('the first page appears before the table of all pages has loaded, but a navigation waits for that table', async () => {
  const others = Promise.withResolvers<void>()
  await open(
    [{ path: '/next/', title: 'Next', component: titled('Next') }],
    growing(() => others.promise),
  )
  await expectHeading('Home')
  go('/next/')
  expect(screen.getByRole('heading').textContent).toBe('Home')
  await act(async () => others.resolve())
  await expectFocusedPage('Next')
  go('/')
  await expectFocusedPage('Home')
})

test('reloads once if the table of pages cannot be loaded, then shows the error page, and tries again on the next navigation', async () => {
  const reload = vi.spyOn(location, 'reload').mockReturnValue()
  let isUp = false
  await open(
    [{ path: '/next/', title: 'Next', component: titled('Next') }],
    growing(async () => {
      if (!isUp) throw new Error('gone')
    }),
  )
  await expectHeading('Home')
  expect(reload).not.toHaveBeenCalled()
  go('/next/')
  await waitFor(() => expect(reload).toHaveBeenCalledOnce())
  go('/')
  go('/next/')
  await expectHeading('Something Went Wrong')
  isUp = true
  go('/')
  await expectHeading('Home')
  go('/next/')
  await expectHeading('Next')
  expect(reload).toHaveBeenCalledOnce()
})
