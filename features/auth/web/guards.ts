import type { PageNeeds, Place } from '#kit/web/page.ts'
import type { QueryClient } from '#kit/web/query/query-client.ts'
import type { Account } from '../auth.contract.ts'
import { wantedIn } from './wanted-page.ts'

// Spec 2.2. Each guard is a page's `redirect`, and the page's `queries` include `accountQuery`. A failed check counts
// as not signed in.

type Guard = NonNullable<PageNeeds['redirect']>

/** Private pages: for a signed-in customer with a confirmed address. */
export const forCustomers: Guard = (client, place) => {
  const account = accountIn(client)
  if (!account?.authenticated) return loginBefore(place)
  return account.user?.email_verified ? null : '/verify/'
}

export const forVisitors: Guard = (client, place) => (accountIn(client)?.authenticated ? wantedPage(place) : null)

export const forUnverified: Guard = (client, place) => {
  const account = accountIn(client)
  if (!account?.authenticated) return loginBefore(place)
  return account.user?.email_verified ? '/' : null
}

/** For a signed-in customer, whether or not the address is confirmed. */
export const forSignedIn: Guard = (client, place) => (accountIn(client)?.authenticated ? null : loginBefore(place))

const accountIn = (client: QueryClient): Account | undefined => client.getQueryData<Account>(['account'])

function loginBefore({ path, search }: Place): string {
  const wanted = search ? `${path}?${search}` : path
  return wanted === '/' ? '/login/' : `/login/?${new URLSearchParams({ next: wanted })}`
}

const wantedPage = ({ search }: Place): string => wantedIn(search) || '/'
