import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { elementIds, type PageState } from '#app/web/page-state.ts'
import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import { setZoneClock } from '#kit/contract/zone-clock.ts'
import { createBrowserApi } from '#kit/web/api.tsx'
import { setCsrfToken } from '#kit/web/csrf.ts'
import { matchPage, type Pages, createRouteTable } from '#kit/web/page.ts'
import { createQueryClient } from '#kit/web/query/query-client.ts'
import { loadPage, reloadOnce } from '#kit/web/router/page-modules.ts'
import { setServerTime } from '#kit/web/server-time.ts'
import { DeskShell } from './DeskShell.tsx'
import { reportUncaughtErrors } from './report-uncaught-errors.ts'
import { checkSession, watchSession } from './session.ts'

export async function start(pages: Pages): Promise<void> {
  reportUncaughtErrors(pages)
  const bootstrap = readJson<Bootstrap>(elementIds.bootstrap)
  const { queries, rendered } = readJson<PageState>(elementIds.state)
  setCsrfToken(readJson<string>(elementIds.csrfToken))
  setServerTime(bootstrap.serverTime)
  setZoneClock(bootstrap.zoneClock)
  const client = createQueryClient()
  for (const queryData of queries) client.setQueryData(...queryData)
  const api = createBrowserApi({ onSignedOut: () => void checkSession(api, client) })
  watchSession(api, client)
  const isPageLoaded = await loadPage(matchPage(pages, location.pathname).page).then(
    () => true,
    () => false,
  )
  if (!isPageLoaded && reloadOnce()) return

  const desk = <DeskShell table={createRouteTable(pages)} api={api} bootstrap={bootstrap} client={client} />
  const root = requireElement(elementIds.root)
  startTransition(() => {
    // React can hydrate the server's markup only once the page's code has loaded.
    if (rendered && isPageLoaded) hydrateRoot(root, desk)
    else createRoot(root).render(desk)
  })
}

const readJson = <T,>(id: string): T => JSON.parse(requireElement(id).textContent ?? '') as T

function requireElement(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`The page has no #${id}`)
  return found
}
