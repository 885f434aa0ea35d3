import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import { setZoneClock } from '#kit/contract/zone-clock.ts'
import { createBrowserApi } from '#kit/web/api.tsx'
import { setCsrfToken } from '#kit/web/csrf.ts'
import type { PageEntry } from '#kit/web/page.ts'
import { createQueryClient } from '#kit/web/query/query-client.ts'
import { loadPage, reloadOnce } from '#kit/web/router/page-modules.ts'
import { createLazyRouteTable } from '#kit/web/router/route-table.ts'
import { setServerTime } from '#kit/web/server-time.ts'
import { installFaultHandlers } from './faults.ts'
import { Portal } from './Portal.tsx'
import { accountKey, refreshAccount, watchSession } from './session.ts'
import { elementIds, type PageState } from './page-state.ts'

export async function start(modules: Pick<PageEntry, 'component' | 'loader'>): Promise<void> {
  installFaultHandlers()
  // The page's code loads before rendering starts, which also gives the browser time to paint the server's markup.
  const [loaded] = await Promise.all([
    loadPage(modules).then(
      () => true,
      () => false,
    ),
    waitUntilPainted(),
  ])
  if (!loaded && reloadOnce()) return

  const bootstrap = readJson<Bootstrap>(elementIds.bootstrap)
  const {
    queries,
    page: { params, ...page },
    rendered,
  } = readJson<PageState>(elementIds.state)
  setCsrfToken(readJson<string>(elementIds.csrfToken))
  setServerTime(bootstrap.serverTime)
  setZoneClock(bootstrap.zoneClock)
  const client = createQueryClient()
  for (const answer of queries) client.setQueryData(...answer)
  const ask = (): Promise<void> => refreshAccount(api, client)
  const api = createBrowserApi({ onSignedOut: ask })
  watchSession(api, client)
  if (client.getQueryData(accountKey) === undefined) void ask()
  const first = { page: { ...page, ...modules }, params, canonical: null }
  const table = createLazyRouteTable(location.pathname, first, async () =>
    (await import('./all-pages.ts')).begin(client, bootstrap),
  )
  const portal = <Portal table={table} api={api} bootstrap={bootstrap} client={client} />
  const root = requireElement(elementIds.root)
  // React renders a transition in small pieces, and the browser can respond to input in between.
  startTransition(() => {
    // React can hydrate the server's markup only if the page's code has loaded.
    if (rendered && loaded) hydrateRoot(root, portal)
    else createRoot(root).render(portal)
  })
}

/**
 * Waits until the browser has painted the server's markup. On a slow phone with everything cached, hydration would
 * otherwise delay that paint.
 */
async function waitUntilPainted(): Promise<void> {
  // The browser never paints a hidden page, so there is nothing to wait for.
  if (!document.hidden) await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}

function readJson<T>(id: string): T {
  return JSON.parse(requireElement(id).textContent) as T
}

function requireElement(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`The page has no #${id}`)
  return found
}
