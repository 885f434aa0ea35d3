import type { Api } from '#kit/contract/endpoint.ts'
import type { QueryClient } from '#kit/web/query/query-client.ts'
import { signOut } from '#desk/features/staff/staff.contract.ts'
import { getCachedMe, meQuery } from '#desk/features/staff/web/me.queries.ts'

/*
 * A session can also end when the person signs out in another tab, when nothing is requested for half an hour, or when
 * an admin ends it. The next person to sign in must get a new document, so that this tab keeps none of the previous
 * person's data.
 */

/**
 * Asks the server who is signed in. If that has changed, the page reloads. After a sign-out, the server then redirects
 * to the sign-in page.
 */
export async function checkSession(api: Api, client: QueryClient): Promise<void> {
  const previousStaffMember = getCachedMe(client)
  await client.refetchQuery(meQuery(api))
  if (previousStaffMember && getCachedMe(client)?.id !== previousStaffMember.id) location.reload()
}

export function watchSession(api: Api, client: QueryClient): void {
  // Each session has its own CSRF cookie, which scripts can read. If the cookie string has changed, the session has changed.
  const readCookies = (): string => document.cookie
  let before = readCookies()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') before = readCookies()
    else if (before !== readCookies()) void checkSession(api, client)
  })
  // A page restored from the back/forward cache may show data that belongs to someone who has since signed out.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload()
  })
}

/**
 * Signs out and loads a new document.
 * @throws ApiError if the person is still signed in
 */
export async function signOutOfDesk(api: Api): Promise<void> {
  await api.call(signOut, {})
  try {
    sessionStorage.clear()
  } catch {
    // If storage is disabled, there is nothing to clear.
  }
  location.assign('/sign-in/')
}
