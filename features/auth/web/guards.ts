import type { PageLoader, PageLocation } from '#kit/web/page.ts'
import type { QueryClient } from '#kit/web/query/query-client.ts'
import type { Account } from '../auth.contract.ts'
import { requestedPageIn } from './requested-page.ts'

// Spec 2.2. Each guard is a page's `redirect`, and the page's `queries` include `accountQuery`. A failed check counts
// as not signed in.

type Guard = NonNullable<PageLoader['redirect']>

/** Private pages: for a signed-in customer with a confirmed address. */
export const requireCustomer: Guard = (client, place) => {
  const account = cachedAccount(client)
  if (!account?.authenticated) return loginUrlFor(place)
  return account.user?.email_verified ? null : '/verify/'
}

export const requireVisitor: Guard = (client, place) =>
  cachedAccount(client)?.authenticated ? requestedPageOf(place) : null

export const requireUnverified: Guard = (client, place) => {
  const account = cachedAccount(client)
  if (!account?.authenticated) return loginUrlFor(place)
  return account.user?.email_verified ? '/' : null
}

/** For a signed-in customer, whether or not the address is confirmed. */
export const requireSignedIn: Guard = (client, place) =>
  cachedAccount(client)?.authenticated ? null : loginUrlFor(place)

const cachedAccount = (client: QueryClient): Account | undefined => client.getQueryData<Account>(['account'])

function loginUrlFor({ path, search }: PageLocation): string {
  const requestedUrl = search ? `${path}?${search}` : path
  return requestedUrl === '/' ? '/login/' : `/login/?${new URLSearchParams({ next: requestedUrl })}`
}

const requestedPageOf = ({ search }: PageLocation): string => requestedPageIn(search) || '/'
