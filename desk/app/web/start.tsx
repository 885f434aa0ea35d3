import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { ids, type PageState } from '#app/web/state.ts'
import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import { noteZoneClock } from '#kit/contract/zone-clock.ts'
import { browserApi } from '#kit/web/api.tsx'
import { noteCsrfToken } from '#kit/web/csrf.ts'
import { matchPage, type Pages, wholeTable } from '#kit/web/page.ts'
import { createQueryClient } from '#kit/web/query/query-client.ts'
import { loadPage, reloadOnce } from '#kit/web/router/load.ts'
import { noteServerTime } from '#kit/web/server-time.ts'
import { DeskShell } from './DeskShell.tsx'
import { watchFaults } from './faults.ts'
import { askWhoIsHere, watchSession } from './session.ts'

export async function start(pages: Pages): Promise<void> {
  watchFaults(pages)
  const bootstrap = read<Bootstrap>(ids.bootstrap)
  const { queries, rendered } = read<PageState>(ids.state)
  noteCsrfToken(read<string>(ids.csrfToken))
  noteServerTime(bootstrap.serverTime)
  noteZoneClock(bootstrap.zoneClock)
  const client = createQueryClient()
  for (const answer of queries) client.setQueryData(...answer)
  const api = browserApi({ onSignedOut: () => void askWhoIsHere(api, client) })
  watchSession(api, client)
  const loaded = await loadPage(matchPage(pages, location.pathname).page).then(
    () => true,
    () => false,
  )
  if (!loaded && reloadOnce()) return

  const desk = <DeskShell table={wholeTable(pages)} api={api} bootstrap={bootstrap} client={client} />
  const root = element(ids.root)
  startTransition(() => {
    // The markup can only be hydrated with the code of its page.
    if (rendered && loaded) hydrateRoot(root, desk)
    else createRoot(root).render(desk)
  })
}

const read = <T,>(id: string): T => JSON.parse(element(id).textContent ?? '') as T

function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`The page has no #${id}`)
  return found
}
