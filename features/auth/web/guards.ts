import type { PageLoader, PageLocation } from '#kit/web/page.ts'
import type { QueryClient } from '#kit/web/query/query-client.ts'
import type { Account } from '../auth.contract.ts'
import { readRequestedPage } from './requested-page.ts'

/*
 * Pages set one of these guards as their `redirect` (specification 2.2), and must list `accountQuery` in their
 * `queries`. If the account could not be loaded, the visitor is treated as not signed in.
 */

type Guard = NonNullable<PageLoader['redirect']>

/** Admits only signed-in customers with a confirmed email address. */
export const requireCustomer: Guard = (client, place) => {
  const account = getCachedAccount(client)
  if (!account?.authenticated) return pathFor('/login/', place)
  return account.user?.email_verified ? null : pathFor('/verify/', place)
}

export const requireSignedOut: Guard = (client, place) =>
  getCachedAccount(client)?.authenticated ? getRequestedPage(place) : null

export const requireUnverifiedEmail: Guard = (client, place) => {
  const account = getCachedAccount(client)
  if (!account?.authenticated) return pathFor('/login/', place)
  return account.user?.email_verified ? getRequestedPage(place) : null
}

/** Admits signed-in customers, even if their email address has not been confirmed. */
export const requireSignedIn: Guard = (client, place) =>
  getCachedAccount(client)?.authenticated ? null : pathFor('/login/', place)

const getCachedAccount = (client: QueryClient): Account | undefined => client.getQueryData<Account>(['account'])

/** Returns the path of the page that a visitor has to pass first, with the page that they wanted to open. */
function pathFor(gate: '/login/' | '/verify/', { path, search }: PageLocation): string {
  const requestedUrl = search ? `${path}?${search}` : path
  return requestedUrl === '/' ? gate : `${gate}?${new URLSearchParams({ next: requestedUrl })}`
}

const getRequestedPage = ({ search }: PageLocation): string => readRequestedPage(search) || '/'
