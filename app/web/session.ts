import type { Api } from '#kit/contract/endpoint.ts'
import type { QueryClient, QueryKey } from '#kit/web/query/query-client.ts'
import type { Account } from '#features/auth/auth.contract.ts'

/*
 * A session can also start or end in another tab, on another device, or with a new password.
 * This module keeps the tab's account data up to date, and the page guards use that data.
 */

/** Cache key of `accountQuery`, repeated here because importing the query would add its contract to every first script. */
export const accountKey: QueryKey<Account> = ['account']

/** Cookies that scripts can read. They contain the session's CSRF token, so the value changes when another tab signs in or out. */
const sessionFingerprint = (): string => document.cookie

const customerIn = (client: QueryClient): string | null => client.getQueryData(accountKey)?.user?.email ?? null

/** Identifies a customer by email address and confirmation: an address can have several accounts, of which at most one is confirmed. */
function identityIn(client: QueryClient): string | null {
  const user = client.getQueryData(accountKey)?.user
  return user ? `${user.email} ${user.email_verified ? 'confirmed' : 'claimed'}` : null
}

export async function refreshAccount(api: Api, client: QueryClient): Promise<void> {
  const known = client.getQueryData(accountKey)
  const queries = await import('#features/auth/web/account.queries.ts').catch(() => null)
  if (!queries) return
  await client.prefetchQuery({ ...queries.accountQuery(api), staleTime: 0 })
  const customer = customerIn(client)
  if (known && customer !== (known.user?.email ?? null)) location.reload()
}

/**
 * Clears this tab's storage, such as form input and a started purchase, when another customer signs in.
 * An anonymous visitor clears nothing. A different email address within the same session is the same customer's new address.
 */
function clearOtherCustomersStorage(customer: string | null): void {
  if (customer === null) return
  try {
    const mark = sessionFingerprint()
    const [before, markBefore] = [sessionStorage.getItem('customer'), sessionStorage.getItem('customer-session')]
    if (before !== null && before !== customer && markBefore !== mark) sessionStorage.clear()
    sessionStorage.setItem('customer', customer)
    sessionStorage.setItem('customer-session', mark)
  } catch {
    // If the browser's storage is disabled, there is nothing to clear.
  }
}

export function watchSession(api: Api, client: QueryClient): () => void {
  const abortController = new AbortController()
  const claim = (): void => clearOtherCustomersStorage(identityIn(client))
  claim()
  const unsubscribe = client.subscribe(claim)
  let mark = sessionFingerprint()
  const hasSessionChanged = (): boolean => sessionFingerprint() !== mark

  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.visibilityState === 'hidden') {
        mark = sessionFingerprint()
        return
      }
      const isUnverified = client.getQueryData(accountKey)?.user?.email_verified === false
      if (hasSessionChanged() || isUnverified) void refreshAccount(api, client)
    },
    abortController,
  )

  // A page from the back-forward cache does not know of a logout since it was left, so its session is checked again.
  window.addEventListener(
    'pageshow',
    ({ persisted }) => {
      if (persisted && (customerIn(client) !== null || hasSessionChanged())) location.reload()
    },
    abortController,
  )
  return () => {
    abortController.abort()
    unsubscribe()
  }
}
