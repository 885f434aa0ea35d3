import type { Api } from '#kit/contract/endpoint.ts'
import type { QueryClient, QueryKey } from '#kit/web/query/query-client.ts'
import type { Account } from '#features/auth/auth.contract.ts'

// Sessions begin and end elsewhere too: in another tab, on another device, with a new password. What this tab knows of its
// customer is kept true here, and the guards of the pages act on it.

/** Where `accountQuery` keeps its answer; the query itself brings its contract, which is not for everybody's first script. */
export const accountKey: QueryKey<Account> = ['account']

/** Each session has its own token in a readable cookie, so this changes when another tab signs in or out. */
const sessionMark = (): string => document.cookie

const customerIn = (client: QueryClient): string | null => client.getQueryData(accountKey)?.user?.email ?? null

/** Names the customer in this tab's storage. An address can have several accounts, of which one at most is verified. */
function identityIn(client: QueryClient): string | null {
  const user = client.getQueryData(accountKey)?.user
  return user ? `${user.email} ${user.email_verified ? 'confirmed' : 'claimed'}` : null
}

/**
 * Asks anew who is signed in; without an answer what was known stays. Another user than before, or none, begins with
 * a document of their own.
 */
export async function askWhoIsHere(api: Api, client: QueryClient): Promise<void> {
  const known = client.getQueryData(accountKey)
  const queries = await import('#features/auth/web/account.queries.ts').catch(() => null)
  if (!queries) return
  await client.prefetchQuery({ ...queries.accountQuery(api), staleTime: 0 })
  const customer = customerIn(client)
  if (known && customer !== (known.user?.email ?? null)) location.reload()
}

/**
 * What this tab keeps, such as what was typed and what was being bought, is its customer's: it goes when another one signs
 * in. A visitor who is not signed in takes nothing away, and another address in the same session is the same customer's new one.
 */
function claimStorage(customer: string | null): void {
  if (customer === null) return
  try {
    const mark = sessionMark()
    const [before, markBefore] = [sessionStorage.getItem('customer'), sessionStorage.getItem('customer-session')]
    if (before !== null && before !== customer && markBefore !== mark) sessionStorage.clear()
    sessionStorage.setItem('customer', customer)
    sessionStorage.setItem('customer-session', mark)
  } catch {
    // Storage that is switched off has kept nothing.
  }
}

/** Watches for what happens while this tab is out of sight, and for who signs in here, until the function it returns is called. */
export function watchSession(api: Api, client: QueryClient): () => void {
  const watching = new AbortController()
  const claim = (): void => claimStorage(identityIn(client))
  claim()
  const endClaims = client.subscribe(claim)
  let mark = sessionMark()
  const isAnother = (): boolean => sessionMark() !== mark

  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.visibilityState === 'hidden') {
        mark = sessionMark()
        return
      }
      // An address is often confirmed from the mail, in a tab beside this one.
      const isUnverified = client.getQueryData(accountKey)?.user?.email_verified === false
      if (isAnother() || isUnverified) void askWhoIsHere(api, client)
    },
    watching,
  )

  // A page that the browser has kept and now shows again knows nothing of a logout since.
  window.addEventListener(
    'pageshow',
    ({ persisted }) => {
      if (persisted && (customerIn(client) !== null || isAnother())) location.reload()
    },
    watching,
  )
  return () => {
    watching.abort()
    endClaims()
  }
}
