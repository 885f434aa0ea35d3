import type { Api } from '#kit/contract/endpoint.ts'
import type { QueryClient, QueryKey } from '#kit/web/query/query-client.ts'
import type { Account } from '#features/auth/auth.contract.ts'

/*
 * A session can also start or end in a different tab, on a different device, or with a password change. This module
 * keeps the tab's account data up to date, and the page guards use that data.
 */

/** Cache key of `accountQuery`. It is repeated here, because importing the query would add its contract to every entry script. */
export const accountKey: QueryKey<Account> = ['account']

/** The cookies that scripts can read. They contain the session's CSRF token, so this value changes when a different tab signs in or out. */
const sessionFingerprint = (): string => document.cookie

const cachedCustomerEmail = (client: QueryClient): string | null => client.getQueryData(accountKey)?.user?.email ?? null

/**
 * Identifies a customer by email address and whether it is confirmed: several accounts can have the same address, but
 * at most one of them is confirmed.
 */
function cachedCustomerIdentity(client: QueryClient): string | null {
  const user = client.getQueryData(accountKey)?.user
  return user ? `${user.email} ${user.email_verified ? 'confirmed' : 'claimed'}` : null
}

export async function refreshAccount(api: Api, client: QueryClient): Promise<void> {
  const known = client.getQueryData(accountKey)
  const queries = await import('#features/auth/web/account.queries.ts').catch(() => null)
  if (!queries) return
  await client.prefetchQuery({ ...queries.accountQuery(api), staleTime: 0 })
  const customer = cachedCustomerEmail(client)
  if (known && customer !== (known.user?.email ?? null)) location.reload()
}

/**
 * When a different customer signs in, clears this tab's stored data, such as form drafts and an unfinished purchase. An
 * anonymous visitor clears nothing. If only the email address changes within a session, it is still the same customer.
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
  const claim = (): void => clearOtherCustomersStorage(cachedCustomerIdentity(client))
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

  /*
   * A page restored from the back/forward cache may be older than a logout, so it reloads if a customer was signed in
   * or the session has changed.
   */
  window.addEventListener(
    'pageshow',
    ({ persisted }) => {
      if (persisted && (cachedCustomerEmail(client) !== null || hasSessionChanged())) location.reload()
    },
    abortController,
  )
  return () => {
    abortController.abort()
    unsubscribe()
  }
}
