import '@vitejs/plugin-react/preamble'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { pages } from '#app/pages.ts'
import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import { browserApi } from '#kit/web/api.tsx'
import { matchPage } from '#kit/web/page.ts'
import { createQueryClient } from '#kit/web/query/query-client.ts'
import { loadPage, reloadOnce } from '#kit/web/router/load.ts'
import { noteServerTime } from '#kit/web/server-time.ts'
import { Portal } from './Portal.tsx'
import { accountKey, askWhoIsHere, watchSession } from './session.ts'
import { ids, type PageState } from './state.ts'

async function start(): Promise<void> {
  const bootstrap = read<Bootstrap>(ids.bootstrap)
  const { queries, rendered } = read<PageState>(ids.state)
  noteServerTime(bootstrap.serverTime)
  const client = createQueryClient()
  for (const [key, data] of queries) client.setQueryData(key, data)
  const api = browserApi({ onSignedOut: () => void ask() })
  const ask = (): Promise<void> => askWhoIsHere(api, client)
  watchSession(api, client)
  // The server could not say.
  if (client.getQueryData(accountKey) === undefined) void ask()
  const { page } = matchPage(pages, location.pathname)
  const reloading = await loadPage(page).then(() => false, reloadOnce)
  if (reloading) return

  const portal = <Portal pages={pages} api={api} bootstrap={bootstrap} client={client} />
  const root = element(ids.root)
  if (rendered) hydrateRoot(root, portal)
  else createRoot(root).render(portal)
}

function read<T>(id: string): T {
  return JSON.parse(element(id).textContent ?? '') as T
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`The page has no #${id}`)
  return found
}

// Not awaited: a page's chunk may import from this one, which is only done when this line is.
void start()
