import type { QueryClient } from '#kit/web/query/query-client.ts'
import type { Account } from '../auth.contract.ts'

/**
 * Stores the account after a login, so that the page's guard redirects. Clears all other cached data, which belongs to
 * an anonymous visitor or another customer.
 */
export function setSignedIn(client: QueryClient, account: Account): void {
  client.clearOthers(['account'])
  client.setQueryData(['account'], account)
}
