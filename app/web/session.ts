import type { Api } from '#kit/contract/endpoint.ts'
import type { QueryClient, QueryKey } from '#kit/web/query/query-client.ts'
import type { Account } from '#features/auth/auth.contract.ts'

// A session can also start or end in another tab, on another device, or with a new password.
// This module keeps the tab's account up to date, and the guards of the pages act on it.

/** Cache key of `accountQuery`. The query itself would add its contract to every first script. */
export const accountKey: QueryKey<Account> = ['account']

/** Each session has its own token in a readable cookie, so this value changes when another tab signs in or out. */
const sessionFingerprint = (): string => document.cookie

const customerIn = (client: QueryClient): string | null => client.getQueryData(accountKey)?.user?.email ?? null

/** An address can have several accounts, at most one of which is verified. */
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
 * This tab's storage, such as form input and a started purchase, belongs to its customer. It is cleared when another customer signs in.
 * A visitor who is not signed in clears nothing. Another address within the same session is the same customer's new address.
 */
function claimStorage(customer: string | null): void {
  if (customer === null) return
  try {
    const mark = sessionFingerprint()
    const [before, markBefore] = [sessionStorage.getItem('customer'), sessionStorage.getItem('customer-session')]
    if (before !== null && before !== customer && markBefore !== mark) sessionStorage.clear()
    sessionStorage.setItem('customer', customer)
    sessionStorage.setItem('customer-session', mark)
  } catch {
    // Disabled storage contains nothing.
  }
}

export function watchSession(api: Api, client: QueryClient): () => void {
  const abortController = new AbortController()
  const claim = (): void => claimStorage(identityIn(client))
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

  // A page restored from the back-forward cache does not know of a logout since then.
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
