import type { Api } from '#kit/contract/endpoint.ts'
import type { QueryClient } from '#kit/web/query/query-client.ts'
import { signOut } from '#desk/features/staff/staff.contract.ts'
import { cachedMe, meQuery } from '#desk/features/staff/web/me.queries.ts'

/*
 * A session can end elsewhere: in another tab, after half an hour, or by an administrator. The next person to sign in must get a new
 * document, so that no data of the previous person stays in this tab.
 */

/**
 * Asks the server who is signed in. If that has changed, the page reloads, and the server redirects a signed-out
 * person to the sign-in page.
 */
export async function checkSession(api: Api, client: QueryClient): Promise<void> {
  const before = cachedMe(client)
  await client.refetchQuery(meQuery(api))
  if (before && cachedMe(client)?.id !== before.id) location.reload()
}

export function watchSession(api: Api, client: QueryClient): void {
  // Each session has its own CSRF cookie, which scripts can read, so a changed cookie string means that the session has changed.
  const readCookies = (): string => document.cookie
  let before = readCookies()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') before = readCookies()
    else if (before !== readCookies()) void checkSession(api, client)
  })
  // A page restored from the back/forward cache may show data of a person who has since signed out.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload()
  })
}

/** Ends the session and loads a new document. @throws ApiError when the person is still signed in */
export async function signOutOfDesk(api: Api): Promise<void> {
  await api.call(signOut, {})
  try {
    sessionStorage.clear()
  } catch {
    // When storage is disabled, there is nothing to clear.
  }
  location.assign('/sign-in/')
}
