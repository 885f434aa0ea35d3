import type { Api } from '#kit/contract/endpoint.ts'
import type { QueryClient } from '#kit/web/query/query-client.ts'
import { signOut } from '#desk/features/staff/staff.contract.ts'
import { meIn, meQuery } from '#desk/features/staff/web/me.queries.ts'

// Sessions end elsewhere too: in another tab, after half an hour, by an administrator. Who is here now begins with a document of
// their own, so that nothing of the one before stays in this tab.

/** Asks anew who is signed in, and loads the page anew for another one than before, or for nobody: the server then leads to the door. */
export async function askWhoIsHere(api: Api, client: QueryClient): Promise<void> {
  const before = meIn(client)
  await client.refetchQuery(meQuery(api))
  if (before && meIn(client)?.id !== before.id) location.reload()
}

/** Watches for what happens while this tab is out of sight. */
export function watchSession(api: Api, client: QueryClient): void {
  // Each session has its own token in a readable cookie.
  const mark = (): string => document.cookie
  let before = mark()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') before = mark()
    else if (before !== mark()) void askWhoIsHere(api, client)
  })
  // A page that the browser has kept and now shows again knows nothing of a sign-out since.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload()
  })
}

/** Ends the session, and leaves with a whole new document. @throws ApiError when they are still signed in */
export async function signOutHere(api: Api): Promise<void> {
  await api.call(signOut, {})
  try {
    sessionStorage.clear()
  } catch {
    // Storage that is switched off has kept nothing.
  }
  location.assign('/sign-in/')
}
